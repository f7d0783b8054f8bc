/**
 * Opens accounts, on any of the modules.
 *
 * @module
 */

import { invalidInput, storageError } from '../base/errors.js';
import { firstErrorOf } from '../base/first-error.js';
import { hasMethod, isBufferSource } from '../base/kinds.js';
import { loaded } from '../base/loaded.js';
import { both, checkedOptions } from '../base/options.js';
import type { WorkerLike } from '../base/platform.js';
import { shown } from '../base/shown.js';
import type { WasmSource } from '../core/compile.js';
import type { EntryModule } from '../core/load-module.js';
import { MIN_MEMORY_BYTES } from '../core/memory.js';
import { openSession } from '../core/open-session.js';
import type { Finding } from '../core/outcome.js';
import type { SessionOptions } from '../core/session.js';
import type { Durability, PageStorage } from '../storage/page-storage.js';
import { becomeLatest, loadLatestBy } from '../validation/latest.js';
import { loadValidatorWith } from '../validation/load-validator.js';
import {
  issuesFrom,
  PROFILE_OPTIONS,
  Validator,
  type ProfileOptions,
} from '../validation/validator.js';
import type { WorkerAccount } from '../worker/open.js';
import type { DevelopmentWarning } from '../warnings/models.js';
import { explained } from './failures.js';
import type { DeclaredTables } from '../tables/table.js';
import { checkedTables } from './table-arguments.js';
import { TableServiceClient } from './table-service-client.js';

/** Options of `openAccount()`. */
export interface AccountOptions<
  Tables extends DeclaredTables = DeclaredTables,
> extends ProfileOptions {
  /**
   * Where the tables are stored: `indexedDbStorage(name)`, `memoryStorage()`, or your own storage.
   */
  readonly storage: PageStorage;

  /**
   * Declared tables: `account.tables` has them under the same names. Missing ones are made, and
   * their indexes are brought up to date in the background.
   */
  readonly tables?: Tables | undefined;

  /** The name of the account in payloads: 3 to 24 lower-case letters and digits. */
  readonly name?: string | undefined;

  /** Where `entitable.wasm` is; by default beside the script, where bundlers put it. */
  readonly wasm?: WasmSource | undefined;

  /** The address of the account in payloads, without a slash at the end. */
  readonly baseUrl?: string | undefined;

  /** How durable a write is when its promise resolves; by default the storage decides. */
  readonly durability?: Durability | undefined;

  /**
   * How many bytes of pages stay in memory for later reads, at most 1 GiB. A table may be larger,
   * and larger than memory: missing pages are read from the storage.
   *
   * The default is a 32nd of the device's memory, at most 256 MiB, and at most a quarter of
   * `maxMemoryBytes`. Where a browser does not tell its memory, a desktop is taken to have 6 GiB
   * (192 MiB of pages). All else, and Node, is taken to have 2 GiB (64 MiB of pages). Cloudflare
   * Workers have 16 MiB of pages.
   */
  readonly cacheBytes?: number | undefined;

  /**
   * How many bytes of memory the WebAssembly module may use, 64 MiB or more; by default 2 GiB, for
   * which it was built. A request that needs more is rejected with `ServerBusy`.
   */
  readonly maxMemoryBytes?: number | undefined;

  /**
   * Whether the account runs in a worker. `true` starts a worker for it, which ends when the
   * account is closed. An app may also pass a `Worker` of its own, or the port of a `SharedWorker`,
   * whose script calls `serveAccounts()` of `entitable/worker`. If no worker can start, `true`
   * warns on the console, and the account runs here: see `TableServiceClient.isInWorker`.
   */
  readonly worker?: boolean | WorkerLike | undefined;

  /**
   * Whether calls that probably do not do what you want are reported: on the console, or to a
   * function, whose errors go to the host. By default they are reported on the console if
   * `process.env.NODE_ENV` is `'development'`. If it is `'production'`, and in
   * `entitable/service-worker`, they never are.
   */
  readonly developmentWarnings?: boolean | ((warning: DevelopmentWarning) => void) | undefined;
}

/** Options of `openAccount()` for a worker that has a storage of its own. */
export interface WorkerAccountOptions<Tables extends DeclaredTables = DeclaredTables> extends Omit<
  AccountOptions<Tables>,
  'storage' | 'worker'
> {
  readonly storage?: undefined;

  /** Its script calls `serveAccounts({ storage })` of `entitable/worker`. */
  readonly worker: WorkerLike;
}

// Both forms.
type GivenOptions = Omit<AccountOptions, 'storage'> & Pick<Partial<AccountOptions>, 'storage'>;

/** Returns what watches an account, or undefined if warnings are off. */
type LoadWarnings = (
  given: GivenOptions['developmentWarnings'],
) => Promise<((account: TableServiceClient) => void) | undefined>;

/**
 * `openAccount()` of every entry.
 *
 * @internal
 * @param loadWarnings - missing, if the entry has no development warnings.
 */
export async function openWith<Tables extends DeclaredTables>(
  entry: EntryModule,
  given: AccountOptions<Tables> | WorkerAccountOptions<Tables>,
  loadWarnings?: LoadWarnings,
): Promise<TableServiceClient<Tables>> {
  const options = checkedAccountOptions(given);
  const unshareModule = shareModule(entry, options);
  try {
    // Both begin at once: the caller may change its arguments after the call.
    const opening = clientOf(entry, options);
    const loading = loadWarnings?.(options.developmentWarnings);
    const [opened, watch] = await Promise.allSettled([opening, loading]);
    if (opened.status === 'rejected') throw opened.reason;
    if (watch.status === 'fulfilled') {
      watch.value?.(opened.value);
      return opened.value as TableServiceClient<Tables>;
    }
    await opened.value.close();
    throw watch.reason;
  } catch (error) {
    unshareModule();
    throw explained(error, {});
  }
}

// With what validates before the account is open.
function shareModule(entry: EntryModule, { wasm, profile, onWarning }: GivenOptions): () => void {
  return loadLatestBy(() => loadValidatorWith(entry, { wasm, profile, onWarning }));
}

const OPEN_OPTIONS = {
  storage: 'any',
  tables: 'any',
  name: 'string',
  wasm: 'module',
  baseUrl: 'string',
  durability: ['relaxed', 'strict'],
  cacheBytes: 'cache bytes',
  maxMemoryBytes: 'bytes',
  worker: 'worker',
  developmentWarnings: 'report',
} as const;
const OPTIONS = /* @__PURE__ */ both(OPEN_OPTIONS, PROFILE_OPTIONS);

// Most places allow an address of this length.
const MAX_ADDRESS_LENGTH = 2048;
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\/[^\s\p{Cc}?#]*[^\s\p{Cc}?#/]$/iu;

function checkedAccountOptions(given: GivenOptions): GivenOptions {
  const options = checkedOptions('openAccount', given ?? {}, OPTIONS);
  const { storage, name, baseUrl, worker, maxMemoryBytes = Infinity } = options;
  const methods = ['read', 'commit', 'close', 'destroy'];
  const isOfWorker = storage === undefined && typeof worker === 'object';
  if (!isOfWorker && !hasMethods(storage, methods)) {
    throw invalidInput(
      `The option storage of openAccount must have the methods ${methods.join(', ')}. ` +
        'Use memoryStorage() or indexedDbStorage(name), say.',
    );
  }
  if (name !== undefined && !/^[a-z0-9]{3,24}$/.test(name)) {
    throw invalidInput(
      `The option name of openAccount must be 3 to 24 lower-case letters and digits, not ${shown(name)}.`,
    );
  }
  const isTooLong = (baseUrl?.length ?? 0) > MAX_ADDRESS_LENGTH;
  if (isTooLong || (baseUrl !== undefined && !ADDRESS.test(baseUrl))) {
    throw invalidInput(
      'The option baseUrl of openAccount must be an absolute address without a slash at the end, ' +
        `of at most ${MAX_ADDRESS_LENGTH} characters, not ${shown(baseUrl)}.`,
    );
  }
  if (maxMemoryBytes < MIN_MEMORY_BYTES) {
    throw invalidInput(
      `The option maxMemoryBytes of openAccount must be ${MIN_MEMORY_BYTES} or more, not ${maxMemoryBytes}.`,
    );
  }
  return options;
}

function hasMethods(storage: unknown, methods: readonly string[]): boolean {
  try {
    return methods.every((method) => hasMethod(storage, method));
  } catch (cause) {
    throw storageError(cause);
  }
}

async function clientOf(entry: EntryModule, options: GivenOptions): Promise<TableServiceClient> {
  const { storage, wasm, worker, profile, onWarning, name = 'devstoreaccount1' } = options;
  const { tables } = options;
  const declared = tables && checkedTables('The option tables of openAccount', tables);
  const given = {
    account: name,
    baseUrl: options.baseUrl ?? `http://127.0.0.1:10002/${name}`,
    durability: options.durability,
    cacheBytes: options.cacheBytes,
    maxMemoryBytes: options.maxMemoryBytes,
    isService: profile === 'service',
    onWarnings: warningsTo(onWarning),
  };
  const open = async () =>
    (worker && (await openedInWorker(entry, { ...given, worker, storage, wasm }))) ||
    (await openSession(entry, wasm, { ...given, storage: storage! }));
  const opening = open();
  // The script comes beside the module.
  const loading = declared && loaded(import('./account-tables.js'));
  loading?.catch(() => undefined);
  const { session, module } = await opening;
  const validator = becomeLatest(new Validator(module, { profile, onWarning }));
  try {
    if (!loading) return new TableServiceClient(session, validator);
    const { OpenedTables } = await loading;
    const opened = new OpenedTables(session, validator, declared);
    return new TableServiceClient(session, validator, opened);
  } catch (error) {
    await session.close();
    throw error;
  }
}

// Undefined, if no worker can start here.
async function openedInWorker(entry: EntryModule, given: WorkerAccount) {
  // The caller may reuse the bytes before the script is there.
  const wasm = isBufferSource(given.wasm) ? structuredClone(given.wasm) : given.wasm;
  const { worker } = given;
  // The script of the worker may fail before the script below is there.
  const firstError = worker === true ? undefined : firstErrorOf(worker);
  const account = { ...given, wasm, firstError };
  const { openInWorker } = await loaded(import('../worker/open.js'));
  const opened = await openInWorker(entry, account);
  if (!opened) console.warn(NO_WORKER);
  return opened;
}

const NO_WORKER =
  'Entitable: no worker can start here, so the account runs in this thread ' +
  '(account.isInWorker is false).';

// In microtasks of their own: an error of the callback must not look like a failed write.
function warningsTo(onWarning: ProfileOptions['onWarning']): SessionOptions['onWarnings'] {
  if (!onWarning) return undefined;
  return (json) => {
    const warnings = issuesFrom(JSON.parse(json) as Finding[], 'entity');
    for (const warning of warnings) queueMicrotask(() => onWarning(warning));
  };
}
