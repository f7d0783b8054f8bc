/**
 * The options of commands that write CSV for spreadsheets.
 *
 * @module
 */

import type { CsvStyle } from '../formats/rows.js';
import { UsageError, type GivenOptions, type OptionTable } from './line/options.js';

/** The options. */
export const CSV_OPTIONS = {
  '--bom': {
    text: 'begin CSV with a byte order mark, without which Excel does not read it as UTF-8',
    foreignNames: ['--excel'],
  },
  '--formulas': {
    value: 'HOW',
    text: 'what to do with cells of CSV that a spreadsheet would take for formulas:',
    choices: {
      keep: 'write them as they are (default)',
      text: "put ' before them, so that they are texts (default with --bom)",
    },
  },
} as const satisfies OptionTable;

/**
 * @param isCsv - whether the command writes CSV at all.
 * @throws {@link UsageError}
 */
export function csvStyleOf(
  options: GivenOptions<keyof typeof CSV_OPTIONS>,
  isCsv: boolean,
): Omit<CsvStyle, 'withTypes'> {
  for (const name of ['--bom', '--formulas'] as const) {
    if (!isCsv && options.has(name)) throw new UsageError(`${name} is for CSV`);
  }
  const hasMark = options.has('--bom');
  const formulas = options.get('--formulas') ?? (hasMark ? 'text' : 'keep');
  return { hasMark, isGuarded: formulas === 'text' };
}
