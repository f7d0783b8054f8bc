import { describe, expect, it } from 'vitest';

import { usageOf } from '../../../../js/src/commands/line/usage.js';

const PRINT = {
  summary: 'prints',
  forms: ['--at PLACE [options]', '--all'],
  about: ['Prints what is there.'],
  options: {
    '--at': { value: 'PLACE', text: 'where it is' },
    '--a-long-name': { value: 'VALUE', text: `${'word '.repeat(17)}end` },
    '--format': { value: 'HOW', text: 'how:', choices: { csv: 'as CSV', columns: 'for eyes' } },
    '--without-effect': {},
  },
  notes: ['One line.\nAnother.'],
};

describe('the usage of a command', () => {
  it('has its forms, its options with their values, and --help', () => {
    expect(usageOf('print', PRINT).split('\n')).toEqual([
      'entitable print --at PLACE [options]',
      'entitable print --all',
      '',
      'Prints what is there.',
      '',
      '  --at PLACE       where it is',
      '  --a-long-name VALUE',
      `                   ${'word '.repeat(16).trim()}`,
      '                   word end',
      '  --format HOW     how:',
      '                   csv      as CSV',
      '                   columns  for eyes',
      '  --help           print this',
      '',
      'One line.',
      'Another.',
    ]);
  });
});
