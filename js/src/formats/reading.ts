/**
 * How the files of an import are read: what was chosen, and what was found in them.
 *
 * @module
 */

import { SEPARATORS, type CsvForm } from './csv-form.js';
import type { CsvOptions } from './file-rows.js';
import type { Encoding } from './text-encoding.js';
import type { TextForms } from './text-forms.js';

/** How a file is to be read. What is left out is guessed. */
export interface FileChoices extends CsvOptions {
  readonly encoding?: Encoding | undefined;
}

/** How a file was read. */
export interface FileReading {
  readonly encoding: Encoding;
  /** Only CSV has a form. */
  readonly form: CsvForm | undefined;
}

const NUMBERS = { '.': ['1234.5', '1,234.5'], ',': ['1234,5', '1.234,5'] } as const;

/** An example of a number. */
export const numberIn = ({ decimal, hasGroups }: TextForms): string =>
  NUMBERS[decimal][hasGroups ? 1 : 0];

/** Examples of days. */
export const DAYS = { ymd: '2024-12-31', dmy: '31/12/2024', mdy: '12/31/2024' } as const;

/** What is between the values, in words. */
export const separatorText = (separator: string): string => SEPARATORS[separator] ?? separator;

/** What is around values, in words. */
export const quoteText = (quote: string): string => (quote === '' ? 'no quotes' : quote);

/** For people: how a file was read. */
export function readingText({ encoding, form }: FileReading, forms: TextForms): string {
  if (!form) return encoding;
  const { separator, quote } = form;
  return [
    encoding,
    `${separatorText(separator)} between values`,
    ...(quote === '"' ? [] : [`${quoteText(quote)} around them`]),
    `numbers as ${numberIn(forms)}`,
    ...(forms.dates === 'ymd' ? [] : [`days as ${DAYS[forms.dates]}`]),
  ].join(', ');
}
