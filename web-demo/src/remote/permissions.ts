/**
 * What a shared access signature permits. It says so itself, unless a stored policy does.
 *
 * @module
 */

import type { Write } from '../explorer/home.js';

// Source: "Create an account SAS", section "Table service"; one of the letters is enough.
const LETTERS: Readonly<Record<Write, string>> = {
  createTable: 'cw',
  deleteTable: 'd',
  insert: 'a',
  update: 'u',
  delete: 'd',
};

/** For people: why a signature does not permit a change; undefined, if it may permit it. */
export function whyNotBy(sas: string, write: Write): string | undefined {
  const fields = new URLSearchParams(sas.replace(/^\?/, ''));
  const isOfTable = write === 'createTable' || write === 'deleteTable';
  if (isOfTable && fields.has('tn')) return 'The signature is for the entities of one table.';
  const type = isOfTable ? 'c' : 'o';
  if (!(fields.get('srt') ?? type).includes(type)) {
    return `The signature does not permit this: it lacks the resource type ${type}.`;
  }
  const permitted = fields.get('sp');
  const letters = [...LETTERS[write]];
  if (permitted === null || letters.some((letter) => permitted.includes(letter))) return undefined;
  return `The signature does not permit this: it lacks the permission ${letters[0]}.`;
}
