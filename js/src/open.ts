/**
 * How an account is opened, whichever module it runs on.
 *
 * @module
 */

import type { WasmSource } from './core/instantiate.js';
import type { CoreModule } from './core/module.js';
import { Session, storageError, type SessionOptions } from './core/session.js';
import { TableError } from './errors.js';
import { explained } from './failures.js';
import type { Durability, PageStorage } from './storage/page-storage.js';
import { TableServiceClient } from './table-service-client.js';
import { Validator, withApiNames, type ProfileOptions, type Violation } from './validator.js';

/** What `openAccount()` takes. */
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
 * What `openAccount()` of an entry does, with the module of that entry.
 *
 * @internal
 */
export async function openWith(
  loadModule: (source?: WasmSource) => Promise<CoreModule>,
  {
    storage,
    name = 'devstoreaccount1',
    wasm,
    baseUrl = `http://127.0.0.1:10002/${name}`,
    durability,
    cacheBytes,
    ...judgement
  }: AccountOptions,
): Promise<TableServiceClient> {
  const isUsable = storage.read({ keys: [] }).catch((cause: unknown) => {
    throw storageError(cause);
  });
  let module: CoreModule;
  try {
    [module] = await Promise.all([loadModule(wasm), isUsable]);
  } catch (error) {
    throw explained(error, {});
  }
  const validator = new Validator(module, judgement);
  const isService = judgement.profile === 'service';
  const onWarnings = warningsTo(judgement.onWarning);
  const account = { account: name, baseUrl, storage, durability, cacheBytes };
  const session = sessionOf(module, { ...account, isService, onWarnings });
  return new TableServiceClient(session, validator);
}

function sessionOf(module: CoreModule, options: SessionOptions): Session {
  try {
    return new Session(module, options);
  } catch (cause) {
    // Cloudflare Workers give no random numbers then, say.
    const sentence = 'Open it while a request is handled: some platforms allow little before.';
    throw new TableError('ModuleAborted', 'The account cannot be opened.', { sentence, cause });
  }
}

// In turns of their own: what a callback throws must not look like a failed write.
function warningsTo(onWarning: ProfileOptions['onWarning']): SessionOptions['onWarnings'] {
  if (!onWarning) return undefined;
  return (json) => {
    const warnings = withApiNames(JSON.parse(json) as Violation[]);
    for (const warning of warnings) queueMicrotask(() => onWarning(warning));
  };
}
