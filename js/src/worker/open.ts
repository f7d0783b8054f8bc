/**
 * Opens an account in a worker, from a page. This script is loaded on demand.
 *
 * @module
 */

import { TableError } from '../base/errors.js';
import { firstErrorOf } from '../base/first-error.js';
import { isBufferSource, isUrl, tagOf } from '../base/kinds.js';
import type { WorkerLike } from '../base/platform.js';
import { compileFrom, type WasmSource } from '../core/compile.js';
import { loadModule, type EntryModule, type OwnWorker } from '../core/load-module.js';
import { defaultCacheBytes } from '../core/memory.js';
import type { OpenedSession } from '../core/open-session.js';
import type { SessionOptions } from '../core/session.js';
import { descriptionOf } from '../storage/description.js';
import type { PageStorage } from '../storage/page-storage.js';
import { holdLock, whenEnded } from './life.js';
import {
  MessageQueue,
  PROTOCOL,
  type Hello,
  type OpenMessage,
  type PageMessage,
  type WorkerMessage,
} from './messages.js';
import { received } from './posted-error.js';
import { startWorker, untilReady } from './start.js';
import { workerEnded, WorkerSession } from './worker-session.js';

/** How to open the account. */
export interface WorkerAccount extends Omit<SessionOptions, 'storage'> {
  /** True: a worker of its own, which ends with the account. */
  readonly worker: true | WorkerLike;
  /** Undefined: the storage of the worker. */
  readonly storage: PageStorage | undefined;
  readonly wasm: WasmSource | undefined;
  /** Of a worker of the app. */
  readonly firstError?: Promise<Event> | undefined;
}

/**
 * Opens the account.
 *
 * @returns undefined, if it needs a worker of its own, and workers cannot start here.
 * @throws {@link TableError} the errors of `openAccount()`; `ScriptNotLoaded`, if the script of the
 * worker cannot be loaded, or serves no accounts; `InvalidInput`, if the storage cannot be made in
 * a worker.
 */
export async function openInWorker(
  entry: EntryModule,
  { worker: given, storage, wasm, firstError, onWarnings, ...options }: WorkerAccount,
): Promise<OpenedSession<WorkerSession> | undefined> {
  const { account, baseUrl, isService = false, durability, maxMemoryBytes } = options;
  // A worker knows less of the device.
  const { cacheBytes = defaultCacheBytes(maxMemoryBytes ?? Infinity) } = options;
  // The checks of the validator are plain calls, so the page has a module, too.
  const loading = quiet(loadModule(entry, wasm));
  const own = given === true ? startWorker(entry.startWorker) : undefined;
  const worker = given === true ? own : given;
  if (!worker) return undefined;
  // A dedicated worker can take a compiled module; a SharedWorker cannot.
  const isDedicated = tagOf(worker) === 'Worker';
  const parts = partsOf(entry, wasm);
  const compiled = isDedicated && quiet(Promise.all(parts.map(compiledHere)));
  const sources = quiet(Promise.all(parts.map(isDedicated ? async () => undefined : postable)));
  const link = new Link(own);
  try {
    if (!(await link.connect(worker, firstError))) return void link.end();
    const message: OpenMessage = {
      ...{ kind: 'open', account, baseUrl, isService, durability, cacheBytes, maxMemoryBytes },
      wasm: await sources,
      storage: storage && descriptionOf(storage, worker),
      pageLock: link.pageLock,
    };
    const { port } = link;
    const onEnd = () => link.end();
    const sessionOf = (storageKind: string) =>
      new WorkerSession({ account, storageKind, port, onWarnings, onEnd });
    const opening = quiet(link.open(message, sessionOf));
    // `loading` reports a failure of the same.
    if (compiled) compiled.then(link.sendModules, () => undefined);
    const [module, session] = await Promise.all([loading, opening]);
    return { module, session };
  } catch (error) {
    link.abandon();
    throw error;
  }
}

/** The way to the worker, and what the page holds for the time of the account. */
class Link {
  readonly pageLock = `entitable:page:${crypto.randomUUID()}`;
  readonly port: MessagePort;
  readonly #portOfWorker: MessagePort;
  readonly #own: OwnWorker | undefined;
  #releaseLock: (() => void) | undefined;
  #stopWatching: (() => void) | undefined;
  #refuse: ((reason: Error) => void) | undefined;

  /** Called when the worker has ended. */
  onDeath: (() => void) | undefined;

  /** @param own - the worker, if it is to end with the account. */
  constructor(own: OwnWorker | undefined) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.#portOfWorker = port2;
    this.#own = own;
  }

  /** Returns false if the page may not start a worker. */
  async connect(worker: WorkerLike, firstError = firstErrorOf(worker)): Promise<boolean> {
    const hello: Hello = { entitable: PROTOCOL, port: this.#portOfWorker };
    worker.postMessage(hello, [hello.port]);
    const workerLock = await untilReady(this.port, firstError, this.#own !== undefined);
    if (workerLock === undefined) return false;
    this.#stopWatching = whenEnded(this.port, workerLock, () => this.onDeath?.());
    this.#releaseLock = await holdLock(this.pageLock);
    return true;
  }

  /** @param sessionOf - takes the class of the storage. */
  open(
    message: OpenMessage,
    sessionOf: (storageKind: string) => WorkerSession,
  ): Promise<WorkerSession> {
    return new Promise((resolve, reject) => {
      this.#refuse = reject;
      this.onDeath = () => reject(workerEnded());
      const receive = (answer: WorkerMessage) => {
        if (answer.kind === 'refused') reject(received(answer.error) as Error);
        if (answer.kind !== 'opened') return;
        // At once: the session must hear of all that comes later.
        const session = sessionOf(answer.storageKind);
        this.onDeath = () => session.die();
        resolve(session);
      };
      const queue = new MessageQueue<PageMessage, WorkerMessage>(this.port, receive, () => {});
      queue.post(message);
      this.#ask(() => queue.flush());
    });
  }

  readonly sendModules = (modules: WebAssembly.Module[]): void => {
    this.#ask(() => this.port.postMessage([{ kind: 'modules', modules } satisfies PageMessage]));
  };

  #ask(post: () => void): void {
    try {
      post();
    } catch (cause) {
      this.#refuse?.(new TableError('ModuleAborted', 'The worker cannot be asked.', { cause }));
    }
  }

  /** Ends what was begun of an account that cannot be opened. */
  abandon(): void {
    this.port.postMessage([{ kind: 'close' } satisfies PageMessage]);
    this.onDeath?.();
    this.end();
  }

  end(): void {
    this.#stopWatching?.();
    this.#releaseLock?.();
    this.port.close();
    this.#own?.terminate();
  }
}

// It may fail before it is awaited.
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

// Where each part of the module comes from. A worker gets all of them at the beginning.
function partsOf({ source, rest }: EntryModule, given: WasmSource | undefined) {
  if (given !== undefined) return [() => given];
  return rest ? [source, rest().source] : [source];
}

// What `loadModule()` waits for, too.
async function compiledHere(source: () => WasmSource) {
  return compileFrom(undefined, { source });
}

// The worker resolves addresses by the place of its own script. A response can be read only once.
// May throw, as `source()` does.
async function postable(source: () => WasmSource): Promise<unknown> {
  const given = source();
  if (isUrl(given)) return given.href;
  if (typeof given === 'string') {
    return new URL(given, globalThis.document?.baseURI ?? globalThis.location?.href).href;
  }
  const awaited: unknown = await given;
  return isBufferSource(awaited) ? awaited : compileFrom(undefined, { source: () => given });
}
