/**
 * The command line of `entitable import`.
 *
 * @module
 */

import { own } from '../../base/own.js';
import type { EdmTypes } from '../../entity/edm.js';
import { EDM_TYPES } from '../../entity/json.js';
import { DAYS, type FileChoices } from '../../formats/reading.js';
import { ENCODINGS, type Encoding } from '../../formats/text-encoding.js';
import type { KnownForms } from '../../formats/text-forms.js';
import { AT, CREDENTIAL_NOTE } from '../account/place.js';
import { readOptions, UsageError } from '../line/options.js';
import type { CommandUsage } from '../line/usage.js';

const ENCODING_TEXTS: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16, the low byte first, as Excel writes Unicode text',
  'utf-16be': 'UTF-16, the high byte first',
  'windows-1252': 'ANSI of western Europe, as Excel writes CSV',
};

/** The usage of the command. */
export const IMPORT = {
  summary: 'stores the rows of files in a table',
  forms: ['--at PLACE --table NAME FILE... [options]', '--at FOLDER ARCHIVE'],
  about: [
    'Stores the rows of CSV files, of JSON arrays and of JSON Lines as entities; - is standard ' +
      'input. The table is created if it is not there, and so is the folder. An archive has ' +
      'tables of its own.',
  ],
  options: {
    ...AT,
    '--table': { value: 'NAME', text: 'the table' },
    '--partition-key': {
      value: 'COLUMN',
      text: 'the column that has the PartitionKey (default: the column PartitionKey, else the name of the file for all rows)',
    },
    '--row-key': {
      value: 'COLUMN',
      text: 'the column that has the RowKey (default: the column RowKey, else the name of the file and the line, or the number of a row that shares its line)',
    },
    '--type': {
      value: 'COLUMN=TYPE',
      text: 'the type of a column in place of the inferred one: String, Int32, Int64, Double, Boolean, DateTime, Guid or Binary; may be given several times',
      isRepeated: true,
    },
    '--encoding': {
      value: 'NAME',
      text: 'the encoding of the files (default: guessed):',
      choices: Object.fromEntries(ENCODINGS.map((name) => [name, ENCODING_TEXTS[name]])),
    },
    '--separator': {
      value: 'CHARACTER',
      text: 'what is between the values of CSV, or the word tab (default: guessed)',
      foreignNames: ['--delimiter'],
    },
    '--quote': {
      value: 'CHARACTER',
      text: 'what is around values of CSV, or the word none (default: ")',
    },
    '--no-header': {
      text: 'the first line of CSV has values; the columns are Column1, Column2, …',
    },
    '--missing': {
      value: 'TEXT',
      text: 'a value of CSV that means none, such as NULL or NA; may be given several times',
      isRepeated: true,
      foreignNames: ['--null', '--na'],
    },
    '--decimal': {
      value: 'SIGN',
      text: 'the decimal sign of numbers in CSV (default: guessed):',
      choices: { '.': '1,234.50', ',': '1.234,50' },
    },
    '--dates': {
      value: 'ORDER',
      text: 'the order of days in CSV (default: guessed):',
      choices: DAYS,
    },
    '--formulas': {
      value: 'HOW',
      text: 'how an export has written cells of CSV that a spreadsheet would take for formulas:',
      choices: { keep: 'as they are (default)', text: "with ' before them, which goes away" },
    },
    '--mode': {
      value: 'HOW',
      text: 'what to do with an entity that is there already:',
      choices: { replace: 'replace it (default)', merge: 'merge the row into it' },
    },
    '--dry-run': { text: 'store nothing; print the columns with their types, and what is wrong' },
    '--json': { text: 'print JSON Lines: an object for each refused row, and a last one' },
    '--quiet': { text: 'show no progress' },
  },
  notes: [
    'Columns for keys stay properties, too, unless they are named PartitionKey and RowKey. The ' +
      'same command again stores the same entities again, so it may be repeated after an ' +
      'interruption.',
    CREDENTIAL_NOTE,
  ],
} as const satisfies CommandUsage;

/** How the rows of files become entities. */
export interface RowChoices {
  readonly partitionKey: string | undefined;
  readonly rowKey: string | undefined;
  /** The types of columns that are not to be inferred. */
  readonly types: ReadonlyMap<string, EdmTypes>;
}

/** What to import, and where to. */
export interface ImportArguments extends RowChoices {
  readonly place: string | undefined;
  readonly table: string | undefined;
  readonly reading: FileChoices;
  readonly forms: KnownForms;
  readonly files: readonly string[];
  readonly mode: 'Replace' | 'Merge';
  readonly isDry: boolean;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
}

/**
 * @param words - the words after the name of the command.
 * @throws {@link UsageError}
 */
export function parseImport(words: readonly string[]): ImportArguments {
  const options = readOptions(words, IMPORT.options, true);
  if (options.operands.length === 0) {
    throw new UsageError('import takes --at PLACE --table NAME FILE...');
  }
  return {
    place: options.get('--at'),
    table: options.get('--table'),
    files: options.operands,
    reading: {
      encoding: options.get('--encoding') as Encoding | undefined,
      form: {
        ...characterIn('separator', options.get('--separator'), { tab: '\t' }),
        ...characterIn('quote', options.get('--quote'), { none: '' }),
      },
      hasHeader: !options.has('--no-header'),
      missing: options.all('--missing'),
      isGuarded: options.get('--formulas') === 'text',
    },
    forms: {
      decimal: options.get('--decimal') as KnownForms['decimal'],
      dates: options.get('--dates') as KnownForms['dates'],
    },
    partitionKey: options.get('--partition-key'),
    rowKey: options.get('--row-key'),
    types: new Map(options.all('--type').map(typeIn)),
    mode: options.get('--mode') === 'merge' ? 'Merge' : 'Replace',
    isDry: options.has('--dry-run'),
    isJson: options.has('--json'),
    isQuiet: options.has('--quiet'),
  };
}

function characterIn<Name extends string>(
  name: Name,
  given: string | undefined,
  words: Readonly<Record<string, string>>,
): { readonly [name in Name]?: string } {
  if (given === undefined) return {};
  const value = (own(words, given) as string | undefined) ?? given;
  if (value.length > 1 || /[\r\n]/.test(value)) {
    throw new UsageError(`--${name} takes one character, or the word ${Object.keys(words)[0]}`);
  }
  return { [name]: value } as { readonly [name in Name]?: string };
}

function typeIn(text: string): [string, EdmTypes] {
  const at = text.lastIndexOf('=');
  const type = text.slice(at + 1);
  if (at < 1 || !Object.hasOwn(EDM_TYPES, type)) {
    throw new UsageError(
      `--type takes COLUMN=TYPE, with one of ${Object.keys(EDM_TYPES).join(', ')}`,
    );
  }
  return [text.slice(0, at), type as EdmTypes];
}
