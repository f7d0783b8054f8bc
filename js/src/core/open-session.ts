/**
 * Opens the session of an account in this thread.
 *
 * @module
 */

import { isTableError, storageError, TableError } from '../base/errors.js';
import type { PageStorage } from '../storage/page-storage.js';
import type { AccountSession } from './account-session.js';
import type { WasmSource } from './compile.js';
import { EarlyRead } from './early-read.js';
import { loadModule, type EntryModule } from './load-module.js';
import type { CoreModule } from './module.js';
import { Session, type SessionOptions } from './session.js';

/** A session, and a module of this thread. */
export interface OpenedSession<S extends AccountSession = Session> {
  readonly module: CoreModule;
  readonly session: S;
}

/**
 * Loads the module, and opens the account. If that fails, the storage is closed.
 *
 * @param wasm - the option of that name.
 * @throws {@link TableError} `ModuleAborted`, if the module cannot be loaded or gets no random
 * numbers; `StorageUnavailable`, if the storage cannot be used.
 */
export async function openSession(
  entry: EntryModule,
  wasm: WasmSource | undefined,
  options: SessionOptions,
): Promise<OpenedSession> {
  const given = { ...options };
  const { storage } = given;
  let early: EarlyRead | undefined;
  try {
    // All begin at once: first the storage, since the first rows wait longest for it. The check is
    // its first use, which may name its hints.
    const [checking, loading] = [checkUsable(storage), loadModule(entry, wasm)];
    early = new EarlyRead(storage);
    const [module] = await Promise.all([loading, checking]);
    return { module, session: sessionOf(module, given, early) };
  } catch (error) {
    early?.end();
    // The caller has no account to close.
    await closeQuietly(storage);
    throw error;
  }
}

function sessionOf(module: CoreModule, options: SessionOptions, early: EarlyRead): Session {
  try {
    return new Session(module, options, early);
  } catch (cause) {
    if (isTableError(cause)) throw cause;
    // Cloudflare Workers, for one, give no random numbers outside of a request.
    const sentence = 'Open it while a request is handled: some platforms allow little before that.';
    throw new TableError('ModuleAborted', 'The account cannot be opened.', { sentence, cause });
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
