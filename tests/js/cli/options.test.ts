import { expect, it } from 'vitest';

import { readOptions, type OptionTable } from '../../../js/src/cli/options.js';

const TABLE = {
  '--at': { value: 'PLACE', text: 'the place' },
  '--filter': { value: 'TEXT', text: 'the filter', elsewhere: ['--where'] },
  '--group-by': { value: 'NAMES', text: 'the groups' },
  '--debug': {},
} as const satisfies OptionTable;

it.each([
  ['--where', 'no option --where; did you mean --filter?'],
  ['--group', 'no option --group'],
  ['--groupby', 'no option --groupby; did you mean --group-by?'],
  ['--fliter', 'no option --fliter; did you mean --filter?'],
  // It has no effect, so nobody is sent to it.
  ['--debu', 'no option --debu'],
  ['--verbose', 'no option --verbose'],
  ['shop', 'word 2 belongs to no option; a folder or an address comes after --at'],
])('refuses "%s", and names the option that was probably meant', (word, message) => {
  const read = () => readOptions([word], TABLE);

  expect(read).toThrow(expect.objectContaining({ name: 'UsageError', message }) as Error);
});
