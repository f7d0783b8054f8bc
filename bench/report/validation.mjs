// validation.mjs - the section about validation.

import { numberText } from './figures.mjs';
import { table } from './tables.mjs';

const ROWS = [
  ['a right entity, µs', 'validUs'],
  ['an entity with two mistakes, µs', 'wrongUs'],
  ['a key stroke in a form of 20 fields, µs', 'keyStrokeUs'],
  ['JSON Lines to checked entities, MB/s', 'ingestMBs'],
];

export function validationSection({ rounds, versions, peers } = {}) {
  if (!peers) return undefined;
  const names = Object.keys(peers);
  const heads = names.map((name) => (versions[name] ? `${name} ${versions[name]}` : name));
  const rows = ROWS.map(([what, figure]) => [
    what,
    ...names.map((name) => numberText(peers[name][figure])),
  ]);
  return `## Validation

In Node, medians of ${rounds} rounds, one library after another in each. The entities are those of
the other tables, with ten properties. The libraries have a schema with the service's rules for
these properties. Entitable needs no schema: it checks every rule for every property, the legal
names and the size of the entity, too. ajv reads Int64 and DateTime as texts, and checks their form
alone. The form has 20 properties with rules of a declared table; each key stroke checks all of
them. In the last row Entitable also stores the entities, in memory. The others store nothing.

${table(['', ...heads], rows)}`;
}
