/**
 * How a file of CSV is written. Its beginning shows it.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';

/** The characters of CSV. */
export interface CsvForm {
  readonly separator: string;
  /** Empty: there are no quotes. */
  readonly quote: string;
  readonly newLine: '\n' | '\r';
}

/** The separators that are recognized, with their names, the most usual first. */
export const SEPARATORS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

/** In UTF-16 units: a beginning that shows the form. */
export const BEGINNING_LENGTH = 16_384;

// Excel writes and reads such a first line.
const SEPARATOR_LINE = /^"?sep=(.)"?(?=\r|\n|$)/i;

// Of the lines that are looked at.
const MOST_LINES = 100;

/**
 * Guesses what is not known.
 *
 * @param beginning - of the file, without a byte order mark.
 * @param isWhole - whether it is the whole file.
 * @returns the form, and the length of a line before the header that only has the separator.
 * @throws {@link TableError} `InvalidInput`, if the header has another separator than the rows.
 */
export function csvFormOf(
  beginning: string,
  isWhole: boolean,
  known: Partial<CsvForm> = {},
): { form: CsvForm; skip: number } {
  const [line = '', named] = SEPARATOR_LINE.exec(beginning) ?? [];
  const { quote = '"' } = known;
  const plain = beginning.slice(line.length).replace(quotedTexts(quote), '');
  const newLine = known.newLine ?? (/^[^\n]*\r(?!\n|$)/.test(plain.trimStart()) ? '\r' : '\n');
  const lines = plain
    .split(newLine)
    .slice(0, isWhole ? MOST_LINES : -1)
    .slice(0, MOST_LINES)
    .filter((one) => one.trim() !== '');
  const separator = known.separator ?? named ?? separatorOf(lines);
  return { form: { separator, quote, newLine }, skip: line.length };
}

function quotedTexts(quote: string): RegExp {
  const escaped = quote.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return quote === '' ? /(?!)/ : new RegExp(`${escaped}[^${escaped}]*(?:${escaped}|$)`, 'g');
}

// The one that the header has, and as often as the rows: the most of them, and then the most often.
function separatorOf([header = '', ...rows]: readonly string[]): string {
  const candidates = Object.keys(SEPARATORS).map((separator) => {
    const count = (line: string) => line.split(separator).length - 1;
    const often = count(header);
    const alike = often === 0 ? 0 : rows.filter((row) => count(row) === often).length;
    const isInRows = rows.length > 0 && rows.every((row) => count(row) > 0);
    return { separator, often, alike, isInRows, isInNone: !rows.some((row) => count(row) > 0) };
  });
  // Names and numbers have commas, too.
  const isComma = ({ separator, often }: { separator: string; often: number }) =>
    Number(separator === ',' && often > 0);
  const best = [...candidates].sort(
    (a, b) => b.alike - a.alike || b.often - a.often || isComma(a) - isComma(b),
  )[0]!;
  const ofRows = candidates.find(({ isInRows }) => isInRows);
  if (best.often > 0 && best.isInNone && ofRows) {
    throw invalidInput(
      `The header of the CSV has ${SEPARATORS[best.separator]} between its names, and the rows have ${SEPARATORS[ofRows.separator]} between their values. Say which one it is: --separator of the command, Between values in the explorer.`,
    );
  }
  return best.separator;
}
