// validation.mjs - the sections about validation and forms.

import { numberText } from './figures.mjs';
import { table } from './tables.mjs';

const ROWS = [
  ['a right entity, µs', 'validUs'],
  ['an entity with two mistakes, µs', 'wrongUs'],
  ['a key stroke in a form of 20 fields, µs', 'keyStrokeUs'],
  ['JSON Lines to checked entities, MB/s', 'ingestMBs'],
];

const FORM =
  'The form has 20 properties with rules of a declared table. Each key stroke checks all of them.\n';

export function validationSection({ rounds, versions, peers } = {}) {
  if (!peers) return undefined;
  const names = Object.keys(peers);
  const heads = names.map((name) => (versions[name] ? `${name} ${versions[name]}` : name));
  const hasForm = names.every((name) => peers[name].keyStrokeUs !== undefined);
  const isMeasured = ([, figure]) => names.some((name) => peers[name][figure] !== undefined);
  const rows = ROWS.filter(isMeasured).map(([what, figure]) => [
    what,
    ...names.map((name) => numberText(peers[name][figure])),
  ]);
  return `## Validation

In Node, medians of ${rounds} rounds, one library after another in each. The entities are those of
the other tables, with ten properties. The libraries have a schema with the service's rules for
these properties. Entitable needs no schema: it checks every rule for every property, the legal
names and the size of the entity, too. ajv reads Int64 and DateTime as texts, and checks their form
alone. In the last row Entitable also stores the entities, in memory. The others store nothing.
${hasForm ? FORM : ''}
${table(['', ...heads], rows)}`;
}

export function formSection({ versions, sizes } = {}) {
  if (!sizes) return undefined;
  const peers = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const kilobytes = (bytes) => numberText(bytes / 1000);
  const rows = Object.entries(sizes).map(([name, { atOnce, later, wasm }]) => [
    name,
    ...[atOnce, later, wasm, atOnce + later + wasm].map(kilobytes),
  ]);
  return `## The download of a page with one form

The sign-up form of the [guide](../guides/forms.md), as esbuild bundles and minifies it, in KB after
\`gzip -9\`. Of Entitable, scripts that the form can wait for load later: the messages of one
language, say. Its module is WebAssembly: it checks the rules, and in the second line it stores the
rows, too. In all other lines the rows go to a server. The messages of the peers are English alone.
Their versions:
${peers.join(', ')}.

${table(['KB', 'scripts at once', 'scripts later', 'module', 'all'], rows)}`;
}
