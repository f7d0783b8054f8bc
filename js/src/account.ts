/**
 * The door: opens an account, or deletes one.
 *
 * @module
 */

import { loadModule, type WasmSource } from './core/load.js';
import { Session, storageError, type SessionOptions } from './core/session.js';
import type { Durability, PageStorage } from './storage/page-storage.js';
import { TableServiceClient } from './table-service-client.js';
import { Validator, withApiNames, type ProfileOptions } from './validator.js';

/** What {@link openAccount} takes. */
export interface AccountOptions extends ProfileOptions {
  /** Where the tables are kept: `indexedDbStorage(name)`, `memoryStorage()`, or one's own. */
  readonly storage: PageStorage;

  /** The name of the account, as payloads show it: 3 to 24 lower-case letters and digits. */
  readonly name?: string | undefined;

  /** Where `entitable.wasm` is; by default beside the script, where bundlers put it. */
  readonly wasm?: WasmSource | undefined;

  /** The account's address, as payloads show it; without a slash at the end. */
  readonly baseUrl?: string | undefined;

  /** How safe a write is when its promise resolves; by default the storage decides. */
  readonly durability?: Durability | undefined;

  /**
   * How many bytes of pages stay in memory for later reads; by default 64 MiB. A table may be
   * larger, or larger than memory: what is not there is read from the storage.
   */
  readonly cacheBytes?: number | undefined;
}

/**
 * Opens an account, and makes it if the storage is empty.
 *
 * @example
 * ```ts
 * const account = await openAccount({ storage: indexedDbStorage('my-app') });
 * await account.createTable('Pets');
 * ```
 * @throws {@link TableError} `StorageUnavailable`, if the storage cannot be used here;
 * `ModuleAborted`, if the WebAssembly module cannot be loaded; each with its cause.
 */
export async function openAccount({
  storage,
  name = 'devstoreaccount1',
  wasm,
  baseUrl = `http://127.0.0.1:10002/${name}`,
  durability,
  cacheBytes,
  ...judgement
}: AccountOptions): Promise<TableServiceClient> {
  const isUsable = storage.read({ keys: [] }).catch((cause: unknown) => {
    throw storageError(cause);
  });
  const [module] = await Promise.all([loadModule(wasm), isUsable]);
  const validator = new Validator(module, judgement);
  const isService = judgement.profile === 'service';
  const onWarnings = warningsTo(judgement.onWarning);
  return new TableServiceClient(
    new Session(module, {
      account: name,
      baseUrl,
      storage,
      durability,
      cacheBytes,
      isService,
      onWarnings,
    }),
    validator,
  );
}

// In turns of their own: what a callback throws must not look like a failed write.
function warningsTo(onWarning: ProfileOptions['onWarning']): SessionOptions['onWarnings'] {
  if (!onWarning) return undefined;
  return (json) => {
    for (const warning of withApiNames(JSON.parse(json))) queueMicrotask(() => onWarning(warning));
  };
}

/**
 * Deletes what an account has kept, for good. Close the account first: what is still
 * open fails from then on.
 *
 * @param account - the storage, or the name that `indexedDbStorage` was given.
 * @throws {@link TableError} `StorageUnavailable`, with the cause, if the storage cannot be
 * deleted.
 */
export async function deleteAccount(account: string | PageStorage): Promise<void> {
  try {
    const storage = typeof account === 'string' ? await storageOf(account) : account;
    await storage.destroy();
  } catch (cause) {
    throw storageError(cause, 'The storage cannot be deleted.');
  }
}

// Loaded now: who keeps accounts elsewhere need not have it.
async function storageOf(name: string): Promise<PageStorage> {
  const { indexedDbStorage } = await import('./storage/indexeddb.js');
  return indexedDbStorage(name);
}
