/**
 * The command lines of `entitable pull`, `push`, `sync` and `forget`.
 *
 * @module
 */

import { isAddress } from '../account/remote-options.js';
import { readOptions, UsageError, type GivenOptions, type OptionTable } from '../line/options.js';
import type { CommandUsage } from '../line/usage.js';

/** A command that moves tables. */
export type MoveCommand = 'pull' | 'push' | 'sync';

/** What to move, and where. */
export interface MoveArguments {
  readonly command: MoveCommand;
  /** The folder of the account. For `push`, it may be the file of an archive. */
  readonly folder: string;
  /** The address of the storage account; undefined: the environment has it. */
  readonly url: string | undefined;
  /** Empty: all tables. */
  readonly tables: readonly string[];
  /** Undefined: whole tables. */
  readonly partitions: readonly string[] | undefined;
  readonly conflict: 'report' | 'merge' | 'local' | 'remote';
  readonly isQuiet: boolean;
}

const TO = 'the address of the storage account, which begins with https: or http:';
const FOLDER = 'the folder of the account';

const OPTIONS = {
  '--table': {
    value: 'NAME',
    text: 'only this table; may be given several times',
    isRepeated: true,
  },
  '--partition': {
    value: 'KEY',
    text: 'only the entities with this PartitionKey; may be given several times',
    isRepeated: true,
    mayBeEmpty: true,
  },
  '--quiet': { text: 'print only what needs your attention' },
} as const satisfies OptionTable;

const CONFLICT = {
  '--conflict': {
    value: 'HOW',
    text: 'what to do with an entity that both sides have changed:',
    choices: {
      report: 'list it, and leave it as it is on both sides (default)',
      merge: 'merge it by property; if both changed a property, URL wins',
      local: 'replace the entity of URL with that of FOLDER',
      remote: 'replace the entity of FOLDER with that of URL',
    },
  },
} as const satisfies OptionTable;

const NOTES = [
  'The credential comes from the environment: AZURE_STORAGE_CONNECTION_STRING, or ' +
    'AZURE_STORAGE_KEY (with AZURE_STORAGE_ACCOUNT, if the address does not name the account), or ' +
    'AZURE_STORAGE_SAS_TOKEN. With a connection string, URL may be left out.',
  'A shared access signature may also be the query of URL, which other users of this machine can ' +
    'see in the list of processes.',
  'After an interruption or a failure, the same command goes on where it was.\n' +
    'It ends with 0 if everything is done; with 1 if something failed, was refused or is in ' +
    'conflict; with 2 if the command line is wrong.',
];

/** The usage of each command. */
export const MOVES = {
  pull: {
    summary: 'copies the tables of a storage account into a folder',
    forms: ['--from URL --to FOLDER [options]'],
    about: [
      'Copies the tables of a storage account into a folder. Later runs fetch what has changed, ' +
        'and delete what was deleted there.',
    ],
    options: {
      '--from': { value: 'URL', text: TO },
      '--to': { value: 'FOLDER', text: FOLDER },
      ...OPTIONS,
    },
    notes: NOTES,
  },
  push: {
    summary: 'sends the tables of a folder, or of an archive, to a storage account',
    forms: ['--from FOLDER|ARCHIVE --to URL [options]'],
    about: [
      'Sends the tables of a folder, or of an archive, to a storage account, and creates them ' +
        'there. Later runs send what has changed. To overwrite no change that it has not seen, it ' +
        'first fetches what the storage account has in these tables, into the folder.',
    ],
    options: {
      '--from': { value: 'FOLDER', text: `${FOLDER}, or the file of an archive` },
      '--to': { value: 'URL', text: TO },
      ...CONFLICT,
      ...OPTIONS,
    },
    notes: NOTES,
  },
  sync: {
    summary: 'makes the tables of a folder and of a storage account equal',
    forms: ['--from FOLDER --to URL [options]'],
    about: [
      'Makes the tables of a folder and of a storage account equal, once. Each side gets what the ' +
        'other one has added, changed or deleted.',
    ],
    options: {
      '--from': { value: 'FOLDER', text: FOLDER },
      '--to': { value: 'URL', text: TO },
      ...CONFLICT,
      ...OPTIONS,
    },
    notes: NOTES,
  },
} as const satisfies Record<MoveCommand, CommandUsage>;

/** The usage of `entitable forget`. */
export const FORGET = {
  summary: 'ends the sync of a folder',
  forms: ['--folder FOLDER'],
  about: [
    'Ends the sync of all tables of a folder. They stay as they are, and can be written to again.',
  ],
  options: { '--folder': { value: 'FOLDER', text: FOLDER } },
} as const satisfies CommandUsage;

type MoveOption = keyof typeof MOVES.sync.options;
type GivenMove = GivenOptions<MoveOption>;

/**
 * @param words - the words after the name of the command.
 * @throws {@link UsageError}
 */
export function parseMove(command: MoveCommand, words: readonly string[]): MoveArguments {
  // The table of a pull has no option --conflict.
  const table: Partial<OptionTable<MoveOption>> = MOVES[command].options;
  const options = readOptions(words, table as OptionTable<MoveOption>);
  const partitions = options.all('--partition');
  return {
    command,
    ...placesOf(command, options),
    // Names count in any case.
    tables: [...new Map(options.all('--table').map((name) => [name.toLowerCase(), name])).values()],
    partitions: partitions.length > 0 ? partitions : undefined,
    conflict: (options.get('--conflict') ?? 'report') as MoveArguments['conflict'],
    isQuiet: options.has('--quiet'),
  };
}

const PLACES = {
  pull: 'pull takes --from URL --to FOLDER',
  push: 'push takes --from FOLDER --to URL, or an archive in place of the folder',
  sync: 'sync takes --from FOLDER --to URL',
};

// The sides of a sync may be given in either order.
function placesOf(command: MoveCommand, options: GivenMove) {
  const [from, to] = [options.get('--from'), options.get('--to')];
  const isSwapped =
    command === 'sync' ? isAddress(from) || (!isAddress(to) && !from) : command === 'pull';
  const [folder, url] = isSwapped ? [to, from] : [from, to];
  if (folder === undefined || isAddress(folder)) throw new UsageError(PLACES[command]);
  if (url !== undefined && !isAddress(url)) {
    throw new UsageError(`${PLACES[command]}; URL begins with https: or http:`);
  }
  return { folder, url };
}

/**
 * @param words - the words after the name of the command.
 * @returns the folder.
 * @throws {@link UsageError}
 */
export function parseForget(words: readonly string[]): string {
  const options = readOptions(words, FORGET.options);
  const folder = options.get('--folder');
  if (folder === undefined) throw new UsageError('forget takes --folder FOLDER');
  return folder;
}
