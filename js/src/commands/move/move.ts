/**
 * Moves tables between a folder and a storage account.
 *
 * @module
 */

import { stat } from 'node:fs/promises';

import { isTableError } from '../../base/errors.js';
import type { TableServiceClient } from '../../client/table-service-client.js';
import { remoteAccount, type RemoteAccount } from '../../remote/account.js';
import type { RemoteFetch } from '../../remote/models.js';
import { failureText } from '../../server/failure-text.js';
import { SyncSteps } from '../../sync/steps.js';
import { credentialHint, isRefusal, type AccountPlace } from '../account/remote-options.js';
import {
  bindFolder,
  checkAccountIn,
  isSynced,
  openFolder,
  tablesOf,
} from '../account/synced-folder.js';
import { ArchiveFolder } from './archive-folder.js';
import type { MoveArguments } from './move-arguments.js';
import { counted, countedEntities, isNoAnswer, moveTable } from './table-move.js';

/** Where a move says what it does. */
export interface MoveOutput {
  /** Takes lines about what was done. */
  readonly print: (line: string) => void;
  /** Takes lines that need attention. */
  readonly tell: (line: string) => void;
  /** Takes a line that is nowhere else. Resolves when it is written. */
  readonly record: (line: string) => Promise<void>;
  /** Takes what is going on; each text replaces the one before. */
  readonly show: (text: string) => void;
}

/**
 * Moves tables.
 *
 * @param address - of the storage account, with its credential.
 * @param signal - ends it. What was moved stays moved, and the next call goes on.
 * @returns whether everything is done.
 * @throws an `Error`, if the folder or the archive cannot be used; {@link NoAnswerError};
 * {@link TableError} of the storage, or of the list of tables; the reason of the signal.
 */
export async function move(
  options: MoveArguments,
  address: AccountPlace,
  output: MoveOutput,
  signal: AbortSignal,
): Promise<boolean> {
  const [given, place] = [{ ...options }, { ...address }];
  const archive = await archiveOf(given);
  const folder = archive?.folder ?? given.folder;
  await archive?.restore(output, signal);
  const account = await openFolder(folder);
  let isComplete: boolean;
  try {
    await bindFolder(account, folder, place.url);
    isComplete = await new Move(account, given, place, output, signal).run();
  } finally {
    await account.close();
  }
  if (isComplete) await archive?.remove();
  return isComplete;
}

// Undefined for a folder. `push` fails without a folder or an archive, because an account would be
// created in a misspelled folder.
async function archiveOf({ command, folder }: MoveArguments): Promise<ArchiveFolder | undefined> {
  const found = await stat(folder).catch(() => undefined);
  if (command === 'push' && !found) throw new Error(`there is no folder or archive ${folder}`);
  if (command === 'push' && found?.isDirectory()) await checkAccountIn(folder);
  if (!found || found.isDirectory()) return undefined;
  if (command !== 'push') throw new Error(`${folder} is not a folder`);
  return new ArchiveFolder(folder, { bytes: found.size, modified: found.mtimeMs });
}

class Move {
  readonly #account: TableServiceClient;
  readonly #given: MoveArguments;
  readonly #output: MoveOutput;
  readonly #signal: AbortSignal;
  readonly #place: AccountPlace & { readonly fetch: RemoteFetch };
  readonly #remote: RemoteAccount;

  constructor(
    account: TableServiceClient,
    given: MoveArguments,
    place: AccountPlace,
    output: MoveOutput,
    signal: AbortSignal,
  ) {
    this.#account = account;
    this.#given = given;
    this.#output = output;
    this.#signal = signal;
    this.#place = { ...place, fetch: endingWith(signal) };
    this.#remote = remoteAccount(this.#place);
  }

  async run(): Promise<boolean> {
    const names = await this.#names();
    if (names.length === 0) this.#output.print('there are no tables');
    let isComplete = true;
    for (const name of names) isComplete = (await this.#moveOne(name)) && isComplete;
    return isComplete;
  }

  // The tables to move. Names in the folder count in any case, as everywhere.
  async #names(): Promise<readonly string[]> {
    const { command, tables } = this.#given;
    if (tables.length > 0) return tables;
    const here = await tablesOf(this.#account);
    if (command === 'push') return here;
    const there = await this.#tablesThere();
    const known = new Set(there.map((name) => name.toLowerCase()));
    const others = here.filter((name) => !known.has(name.toLowerCase()));
    if (command === 'sync') return [...there, ...others];
    for (const name of others) {
      if (!(await isSynced(this.#account, name))) continue;
      this.#output.print(`${name}: is not in the storage account any more; the copy stays`);
    }
    return there;
  }

  async #tablesThere(): Promise<string[]> {
    try {
      return await tablesOf(this.#remote);
    } catch (error) {
      const hint = this.#hintFor(
        error,
        'Name the tables with --table, if it allows no list of them.',
      );
      throw hint ? new Error(`${failureText(error)}${hint}`, { cause: error }) : error;
    }
  }

  // What may help against a refusal, with a space before it.
  #hintFor(error: unknown, ofSignature = ''): string {
    const hint = credentialHint(this.#place, error);
    if (hint || !isRefusal(error)) return hint;
    return this.#place.sas !== undefined && ofSignature ? ` ${ofSignature}` : '';
  }

  // The move goes on with the other tables after one has failed.
  async #moveOne(table: string): Promise<boolean> {
    const { command, partitions, conflict } = this.#given;
    const { print, tell, record, show } = this.#output;
    try {
      await this.#prepare(table);
      const { rows, received, sent, isComplete } = await moveTable(this.#account, {
        ...{ remote: this.#place, table, partitions, conflict, show, signal: this.#signal },
        direction: command === 'pull' ? 'pull' : 'both',
        tell: (text) => tell(`${table}: ${text}`),
        record: (text) => record(`${table}: ${text}`),
      });
      print(
        `${table}: ${countedEntities(rows)}, ${counted(received)} received, ${counted(sent)} sent`,
      );
      return isComplete;
    } catch (error) {
      // Nothing can be said about an output that cannot be written.
      if (this.#signal.aborted || isNoAnswer(error) || isOfOutput(error)) throw error;
      const code = isTableError(error) ? `${error.code}: ` : '';
      tell(`${table}: failed: ${code}${failureText(error)}${this.#hintFor(error)}`);
      return false;
    }
  }

  // Creates the table in the folder, unless it is there. Fails if a pull would delete entities.
  async #prepare(table: string): Promise<void> {
    const { command } = this.#given;
    const wasSynced = await isSynced(this.#account, table);
    if (wasSynced === undefined) {
      if (command === 'push') throw new Error('the folder has no such table');
      // Fails if the storage account has no such table either: the name may be misspelled.
      const entities = this.#remote.tableClient(table).listEntities();
      await entities.byPage({ maxPageSize: 1 }).next();
      await this.#account.createTable(table);
    } else if (command === 'pull' && wasSynced) {
      const pending = await new SyncSteps(this.#account.session, table).pendingGroups();
      if (pending.length > 0) throw new Error(`${NO_COPY} that were not sent: use push or sync`);
    } else if (command === 'pull') {
      const count = await this.#account.tableClient(table).countEntities();
      if (count > 0) throw new Error(`${NO_COPY} of its own: use sync, or another folder`);
    }
  }
}

const isOfOutput = (error: unknown) => (error as NodeJS.ErrnoException).syscall === 'write';

const NO_COPY = 'the table of the folder has entities';

// Requests that are under way end with the signal, too.
const endingWith =
  (signal: AbortSignal): RemoteFetch =>
  (url, request) => {
    const both = AbortSignal.any([signal, request.signal as AbortSignal]);
    return fetch(url, { ...request, signal: both });
  };
