import { expect, it } from 'vitest';

import { readOptions, type OptionTable } from '../../../../js/src/commands/line/options.js';
import { QUERY } from '../../../../js/src/commands/query/query-usage.js';

const TABLE = {
  '--at': { value: 'PLACE', text: 'the place of the account' },
  '--filter': { value: 'TEXT', text: 'the filter', foreignNames: ['--where'] },
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
  ['shop', 'word 2 belongs to no option; --at takes the place of the account'],
  ['--filter price shop', 'word 4 belongs to no option; --at takes the place of the account'],
  // The place is there, so the word is a part of another value.
  [
    '--at shop --filter price ge 7',
    'word 6 belongs to no option; put quotes around a value with spaces',
  ],
  [
    '--filter=price ge 7 --at shop',
    'word 3 belongs to no option; put quotes around a value with spaces',
  ],
  ['Sales --at shop', 'word 2 belongs to no option'],
  ['--at shop --debug Sales', 'word 5 belongs to no option'],
])('refuses "%s", and says what was probably meant', (line, message) => {
  const read = () => readOptions(line.split(' '), TABLE);

  expect(read).toThrow(expect.objectContaining({ name: 'UsageError', message }) as Error);
});

it.each([
  ['--where', '--filter'],
  ['--columns', '--select'],
  ['--sort', '--order-by'],
  ['--offset', '--skip'],
  ['--limit', '--top'],
  ['--group', '--group-by'],
  ['--sum', '--aggregate'],
  ['--output', '--format'],
])('of a query refuses %s, and names %s', (given, meant) => {
  const read = () => readOptions([given, '3'], QUERY.options);

  expect(read).toThrow(`no option ${given}; did you mean ${meant}?`);
});
