/**
 * The command lines of `entitable pull`, `push`, `sync` and `forget`.
 *
 * @module
 */

import { readOptions, UsageError, type GivenOptions, type OptionNames } from './options.js';
import { isAddress } from './remote-options.js';

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

const ACCOUNT_AND_OPTIONS = `
  --table NAME     only this table; may be given several times
  --partition KEY  only the entities with this PartitionKey; may be given several times
  --quiet          print only what needs your attention
  --help           print this

The credential comes from the environment: AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_KEY
(with AZURE_STORAGE_ACCOUNT, if the address does not name the account), or AZURE_STORAGE_SAS_TOKEN.
A shared access signature may also be the query of URL, which other users of this machine can see in
the list of processes. With a connection string, URL may be left out.

After an interruption or a failure, the same command goes on where it was.
It ends with 0 if everything is done; with 1 if something failed, was refused or is in conflict;
with 2 if the command line is wrong.`;

const CONFLICT = `
  --conflict HOW   what to do with an entity that both sides have changed:
                   report  list it, and leave it as it is on both sides (default)
                   merge   merge it by property; if both changed a property, URL wins
                   local   replace the entity of URL with that of FOLDER
                   remote  replace the entity of FOLDER with that of URL`;

/** The usage of each command. */
export const MOVE_USAGES: Readonly<Record<MoveCommand | 'forget', string>> = {
  pull: `entitable pull --from URL --to FOLDER [options]

Copies the tables of a storage account into a folder. Later runs fetch what has changed, and delete
what was deleted there.
${ACCOUNT_AND_OPTIONS}`,
  push: `entitable push --from FOLDER|ARCHIVE --to URL [options]

Sends the tables of a folder, or of an archive, to a storage account, and creates them there. Later
runs send what has changed. To overwrite no change that it has not seen, it first fetches what the
storage account has in these tables, into the folder.
${CONFLICT}${ACCOUNT_AND_OPTIONS}`,
  sync: `entitable sync --from FOLDER --to URL [options]

Makes the tables of a folder and of a storage account equal, once. Each side gets what the other one
has added, changed or deleted.
${CONFLICT}${ACCOUNT_AND_OPTIONS}`,
  forget: `entitable forget --folder FOLDER

Ends the sync of all tables of a folder. They stay as they are, and can be written to again.`,
};

const NAMES: OptionNames = {
  withValue: ['--from', '--to', '--table', '--partition', '--conflict'],
  withoutValue: ['--quiet'],
  repeated: ['--table', '--partition'],
  maybeEmpty: ['--partition'],
};

const POLICIES = ['report', 'merge', 'local', 'remote'] as const;

/**
 * @param words - the words after the name of the command.
 * @throws {@link UsageError}
 */
export function parseMove(command: MoveCommand, words: readonly string[]): MoveArguments {
  const options = readOptions(words, NAMES);
  const conflict = POLICIES.find((one) => one === (options.get('--conflict') ?? 'report'));
  if (conflict === undefined) {
    throw new UsageError(`--conflict is one of ${POLICIES.join(', ')}`);
  }
  if (command === 'pull' && options.has('--conflict')) {
    throw new UsageError('pull has no option --conflict, because it sends nothing');
  }
  const partitions = options.all('--partition');
  return {
    command,
    ...placesOf(command, options),
    // Names count in any case.
    tables: [...new Map(options.all('--table').map((name) => [name.toLowerCase(), name])).values()],
    partitions: partitions.length > 0 ? partitions : undefined,
    conflict,
    isQuiet: options.has('--quiet'),
  };
}

const PLACES = {
  pull: 'pull takes --from URL --to FOLDER',
  push: 'push takes --from FOLDER --to URL, or an archive in place of the folder',
  sync: 'sync takes --from FOLDER --to URL',
};

// The sides of a sync may be given in either order.
function placesOf(command: MoveCommand, options: GivenOptions) {
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
  const options = readOptions(words, { withValue: ['--folder'], withoutValue: [] });
  const folder = options.get('--folder');
  if (folder === undefined) throw new UsageError('forget takes --folder FOLDER');
  return folder;
}
