/**
 * Opens accounts, on any of the modules.
 *
 * @module
 */

import { invalidInput, isTableError, storageError, TableError } from '../base/errors.js';
import { hasMethod } from '../base/kinds.js';
import { checkedOptions } from '../base/options.js';
import { shown } from '../base/shown.js';
import type { WasmSource } from '../core/compile.js';
import { loadModule, type EntryModule } from '../core/load-module.js';
import { MIN_MEMORY_BYTES } from '../core/memory.js';
import type { CoreModule } from '../core/module.js';
import { Session, type SessionOptions } from '../core/session.js';
import type { Durability, PageStorage } from '../storage/page-storage.js';
import {
  PROFILE_OPTIONS,
  Validator,
  withApiNames,
  type ProfileOptions,
  type Violation,
} from '../validation/validator.js';
import { explained } from './failures.js';
import { TableServiceClient } from './table-service-client.js';

/** Options of `openAccount()`. */
export interface AccountOptions extends ProfileOptions {
  /**
   * Where the tables are stored: `indexedDbStorage(name)`, `memoryStorage()`, or your own storage.
   */
  readonly storage: PageStorage;

  /** The name of the account in payloads: 3 to 24 lower-case letters and digits. */
  readonly name?: string | undefined;

  /** Where `entitable.wasm` is; by default beside the script, where bundlers put it. */
  readonly wasm?: WasmSource | undefined;

  /** The address of the account in payloads, without a slash at the end. */
  readonly baseUrl?: string | undefined;

  /** How durable a write is when its promise resolves; by default the storage decides. */
  readonly durability?: Durability | undefined;

  /**
   * How many bytes of pages stay in memory for later reads; by default 64 MiB, at most 1 GiB. A
   * table may be larger, and larger than memory: missing pages are read from the storage.
   */
  readonly cacheBytes?: number | undefined;

  /**
   * How many bytes of memory the WebAssembly module may use, 64 MiB or more; by default 2 GiB, for
   * which it was built. A request that needs more is rejected with `ServerBusy`.
   */
  readonly maxMemoryBytes?: number | undefined;
}

/**
 * `openAccount()` of every entry.
 *
 * @internal
 */
export async function openWith(
  entry: EntryModule,
  given: AccountOptions,
): Promise<TableServiceClient> {
  const options = checkedAccountOptions(given);
  const { storage, wasm } = options;
  try {
    const [module] = await Promise.all([loadModule(entry, wasm), checkUsable(storage)]);
    return clientOf(module, options);
  } catch (error) {
    // The caller has no account to close.
    await closeQuietly(storage);
    throw explained(error, {});
  }
}

const OPTIONS = {
  storage: 'any',
  name: 'string',
  wasm: 'module',
  baseUrl: 'string',
  durability: ['relaxed', 'strict'],
  cacheBytes: 'cache bytes',
  maxMemoryBytes: 'bytes',
  ...PROFILE_OPTIONS,
} as const;

// Most places allow an address of this length.
const MAX_ADDRESS_LENGTH = 2048;
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\/[^\s\p{Cc}?#]*[^\s\p{Cc}?#/]$/iu;

function checkedAccountOptions(given: AccountOptions): AccountOptions {
  const options = checkedOptions('openAccount', given ?? {}, OPTIONS);
  const { storage, name, baseUrl, maxMemoryBytes = Infinity } = options;
  const methods = ['read', 'commit', 'close', 'destroy'];
  if (!hasMethods(storage, methods)) {
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

// The earlier error is the one to report.
async function closeQuietly(storage: PageStorage): Promise<void> {
  try {
    await storage.close();
  } catch {
    // The storage could not be used, so it may fail to close, too.
  }
}

async function checkUsable(storage: PageStorage): Promise<void> {
  try {
    await storage.read({ keys: [] });
  } catch (cause) {
    throw storageError(cause);
  }
}

function clientOf(
  module: CoreModule,
  {
    storage,
    name = 'devstoreaccount1',
    baseUrl = `http://127.0.0.1:10002/${name}`,
    durability,
    cacheBytes,
    maxMemoryBytes,
    profile,
    onWarning,
  }: AccountOptions,
): TableServiceClient {
  const session = sessionOf(module, {
    account: name,
    baseUrl,
    storage,
    durability,
    cacheBytes,
    maxMemoryBytes,
    isService: profile === 'service',
    onWarnings: warningsTo(onWarning),
  });
  return new TableServiceClient(session, new Validator(module, { profile, onWarning }));
}

function sessionOf(module: CoreModule, options: SessionOptions): Session {
  try {
    return new Session(module, options);
  } catch (cause) {
    if (isTableError(cause)) throw cause;
    // Cloudflare Workers, for one, give no random numbers outside of a request.
    const sentence = 'Open it while a request is handled: some platforms allow little before that.';
    throw new TableError('ModuleAborted', 'The account cannot be opened.', { sentence, cause });
  }
}

// In microtasks of their own: an error of the callback must not look like a failed write.
function warningsTo(onWarning: ProfileOptions['onWarning']): SessionOptions['onWarnings'] {
  if (!onWarning) return undefined;
  return (json) => {
    const warnings = withApiNames(JSON.parse(json) as Violation[]);
    for (const warning of warnings) queueMicrotask(() => onWarning(warning));
  };
}
