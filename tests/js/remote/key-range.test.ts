// Source: auth of the spec, 5.3.

import { expect, it } from 'vitest';

import { coversAll } from '../../../js/src/remote/key-range.js';

it.each([
  ['sv=1&sig=x', undefined, true],
  ['sv=1&sig=x', ['p'], true],
  ['a.bearer.token', undefined, true],
  ['spk=b&epk=d&sig=x', undefined, false],
  ['spk=b&sig=x', undefined, false],
  ['epk=d&sig=x', undefined, false],
  ['?spk=b&epk=d&sig=x', ['b', 'c', 'd'], true],
  ['spk=b&epk=d&sig=x', ['a'], false],
  ['spk=b&epk=d&sig=x', ['b', 'e'], false],
  ['spk=b&srk=5&epk=d&sig=x', ['b'], false],
  ['spk=b&srk=5&epk=d&erk=3&sig=x', ['c'], true],
  ['spk=b&epk=d&erk=3&sig=x', ['d'], false],
  ['spk=&epk=&sig=x', [''], true],
  ['spk=%C3%A9&epk=%C3%A9&sig=x', ['é'], true],
  // By UTF-16 units, as the service does.
  ['spk=%EE%80%80&epk=%EF%BF%BF&sig=x', ['\u{1f600}'], false],
])('%s covers all of %j: %s', (credential, partitions, covers) => {
  expect(coversAll(credential, partitions)).toBe(covers);
});
