/**
 * The command line of `entitable import`.
 *
 * @module
 */

import type { EdmTypes } from '../entity/edm.js';
import { EDM_TYPES } from '../entity/json.js';
import { readOptions, UsageError } from './options.js';
import { AT, CREDENTIAL_NOTE } from './place.js';
import type { CommandUsage } from './usage.js';

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
      text: 'the column that has the RowKey (default: the column RowKey, else the name of the file and the line)',
    },
    '--type': {
      value: 'COLUMN=TYPE',
      text: 'the type of a column in place of the inferred one: String, Int32, Int64, Double, Boolean, DateTime, Guid or Binary; may be given several times',
      isRepeated: true,
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
    partitionKey: options.get('--partition-key'),
    rowKey: options.get('--row-key'),
    types: new Map(options.all('--type').map(typeIn)),
    mode: options.get('--mode') === 'merge' ? 'Merge' : 'Replace',
    isDry: options.has('--dry-run'),
    isJson: options.has('--json'),
    isQuiet: options.has('--quiet'),
  };
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
