/**
 * One opened account: it hands requests to the engine and answers to their callers.
 *
 * @module
 */

import { abortError, serverBusy, TableError } from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';
import type {
  Durability,
  PageStorage,
  StatusListener,
  StoreStatus,
} from '../storage/page-storage.js';
import { closeStorage, listenTo } from './adapter.js';
import {
  answerPlace,
  bytesOf,
  readAnswer,
  submitOperation,
  type Answer,
  type Operation,
  type ReadBody,
} from './frames.js';
import { commitUnknown, GuardedEngine, moduleAborted } from './guarded-engine.js';
import { Hints } from './hints.js';
import { cacheBytesFor, waitingBytesFor } from './memory.js';
import type { CoreModule, FramePlace } from './module.js';
import { unwrap, type Outcome } from './outcome.js';
import { PendingRequests, type PendingRequest } from './pending-requests.js';
import { QueuedRequests } from './queued-requests.js';
import { isRead } from './reads.js';
import { StepLoop } from './step-loop.js';
import { callLost } from './storage-calls.js';
import type { Submission } from './submission.js';

/** What an account is opened with. */
export interface SessionOptions {
  readonly account: string;
  readonly baseUrl: string;
  readonly storage: PageStorage;
  readonly durability?: Durability | undefined;
  /** Of pages in memory. */
  readonly cacheBytes?: number | undefined;
  /** Of the module. */
  readonly maxMemoryBytes?: number | undefined;
  /** Whether keys must keep the stricter limit. */
  readonly isService?: boolean | undefined;
  /** Takes a JSON array of what was stored, and yet the service may refuse. */
  readonly onWarnings?: ((json: string) => void) | undefined;
}

/** One opened account. It owns the engine. */
export class Session {
  /** The name of the account. */
  readonly account: string;
  readonly #engine: GuardedEngine;
  readonly #loop: StepLoop;
  readonly #storage: PageStorage;
  readonly #onWarnings: ((json: string) => void) | undefined;
  readonly #pending = new PendingRequests();
  readonly #queued = new QueuedRequests(() => !this.#engine.isOver && this.#hasRoom());
  readonly #maxWaitingBytes: number;
  readonly #beforeClose = new Set<() => void>();
  readonly hints: Hints;
  readonly #statusListeners = new Set<StatusListener>();
  readonly #abortListeners = new Set<(reason: TableError) => void>();
  readonly #stopListening: (() => void) | undefined;
  #lastImport = 0;
  #isEvicted = false;

  // Others may have written while the page slept: reads are fresh until one of them has ended.
  #mustRefresh = false;

  // Set when no further request is taken; makes the error that says why.
  #refusal: (() => TableError) | undefined;
  #closing: Promise<void> | undefined;
  #onceIdle: (() => void) | undefined;

  constructor(module: CoreModule, options: SessionOptions) {
    const { account, baseUrl, storage, isService = false, maxMemoryBytes = Infinity } = options;
    const { cacheBytes = cacheBytesFor(maxMemoryBytes) } = options;
    this.account = account;
    this.#maxWaitingBytes = waitingBytesFor(maxMemoryBytes);
    this.#storage = storage;
    this.hints = new Hints(storage);
    this.#onWarnings = options.onWarnings;
    this.#stopListening = listenTo(storage, (status) => this.#reportStatus(status));
    const random = crypto.getRandomValues(new Uint8Array(32));
    this.#engine = new GuardedEngine(
      module,
      [account, baseUrl, random, isService, cacheBytes, maxMemoryBytes],
      (cause) => this.#abort(cause),
    );
    this.#loop = new StepLoop({
      engine: this.#engine,
      storage,
      durability: options.durability,
      onAnswer: (request, outcome) => this.#answer(request, outcome),
      onCommit: (outcome) => {
        if (outcome === 'ok') this.hints.send();
        if (outcome === 'quota') this.#reportStatus(outcome);
      },
      onIdle: () => {
        this.#queued.begin();
        if (this.#isIdle()) this.#onceIdle?.();
      },
    });
  }

  /** The class of its storage. */
  get storageKind(): string {
    // An object without a prototype has no class.
    return (this.#storage.constructor as { name: string } | undefined)?.name ?? 'Object';
  }

  /** False as soon as every further request is refused. */
  get isOpen(): boolean {
    return !this.#refusal;
  }

  /** A number for an import that no other import of this session has. */
  nextImport(): number {
    return ++this.#lastImport;
  }

  // --- Requests ---

  /**
   * Carries out an operation. The operations of one turn of the event loop go to the engine
   * together, so their writes share a commit. It waits if many bytes of requests wait already.
   *
   * @param signal - withdraws the request. If it was already begun, the promise is rejected all the
   * same, and the write may still be stored.
   * @param readBody - takes the body of the answer, which then has none.
   * @throws {@link TableError} under the code of the core, `AccountClosed` or `ModuleAborted`;
   * `StorageOutcomeUnknown`, if the module aborted while the storage may have been storing it; the
   * reason of the signal, if it fired.
   */
  request(operation: Operation, signal?: AbortSignalLike, readBody?: ReadBody): Promise<Answer> {
    const mustRefresh = this.#mustRefresh;
    if (mustRefresh) operation = { ...operation, fresh: true };
    return this.submit({
      write: (module, engine) => submitOperation(module, engine, operation),
      read: (frame) => {
        if (mustRefresh) this.#mustRefresh = false;
        return this.#withWarnings(readAnswer(frame, readBody));
      },
      bytes: operation.kind === 'awaitChanges' ? 0 : bytesOf(operation),
      isWrite: !isRead(operation.kind),
      signal,
    });
  }

  /** The same for a request in any form. */
  submit<T>(submission: Submission<T>): Promise<T> {
    const { signal, isImpatient } = submission;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw abortError(signal);
      if (this.#refusal) throw this.#refusal();
      const begin = () => this.#begin(submission, resolve, reject);
      if (this.#hasRoom() && this.#queued.isEmpty) begin();
      else if (isImpatient) throw serverBusy();
      else this.#queued.add({ begin, reject, signal });
    });
  }

  #hasRoom(): boolean {
    return this.#pending.bytes < this.#maxWaitingBytes;
  }

  #begin<T>(
    { write, read, bytes, isWrite, signal }: Submission<T>,
    resolve: (answer: T | Promise<T>) => void,
    reject: (reason: unknown) => void,
  ): void {
    const request = this.#engine.call((engine, module) => write(module, engine));
    if (request === 0) {
      const place = this.#engine.call((engine, module) => answerPlace(module, engine));
      const answer = read(this.#engine.frameAt(place));
      resolve(signal ? unlessAborted(answer, signal) : answer);
      return;
    }
    const stopListening = signal && this.#withdrawWhen(signal, request, reject);
    const stopWatching = this.#loop.storageCalls.watch(this.#giveUp);
    const pending = {
      resolve: (frame: Uint8Array) => resolve(read(frame)),
      reject,
      release: () => {
        stopListening?.();
        stopWatching?.();
      },
      bytes,
      commitsBefore: isWrite ? this.#loop.commitsBegun : undefined,
    };
    this.#pending.add(request, pending);
    this.#loop.schedule();
  }

  #answer(request: number, outcome: Outcome<FramePlace>): void {
    const pending = this.#pending.take(request);
    try {
      const place = unwrap(outcome, this.#loop.storageFailure);
      pending?.resolve(this.#engine.frameAt(place));
    } catch (error) {
      if ((error as TableError).code === 'StorageEvicted') this.#reportEviction();
      pending?.reject(error);
    }
  }

  // The write is stored, even if the callback throws.
  #withWarnings(answer: Answer): Answer {
    const { warnings } = answer;
    if (warnings) queueMicrotask(() => this.#onWarnings?.(warnings));
    return answer;
  }

  // Returns a function that stops listening.
  #withdrawWhen(signal: AbortSignalLike, request: number, reject: (reason: unknown) => void) {
    const abort = () => {
      reject(abortError(signal));
      if (this.#withdraw(request)) this.#queued.begin();
    };
    // eslint-disable-next-line entitable/abort-listeners -- a request that was aborted is not begun
    signal.addEventListener('abort', abort);
    return () => signal.removeEventListener('abort', abort);
  }

  // A request that was begun stays pending: its answer still comes.
  #withdraw(request: number): PendingRequest | undefined {
    const isWithdrawn = this.#engine.callIfOpen((engine) => engine.cancel(request));
    return isWithdrawn ? this.#pending.take(request) : undefined;
  }

  // --- Status ---

  /** Calls a listener when the module aborts: every further request is refused. */
  onAbort(listener: (reason: TableError) => void): void {
    this.#abortListeners.add(listener);
  }

  /** See `TableServiceClient.onStatus()`. */
  onStatus(listener: StatusListener): () => void {
    this.#statusListeners.add(listener);
    return () => void this.#statusListeners.delete(listener);
  }

  #reportEviction(): void {
    if (!this.#isEvicted) this.#reportStatus('evicted');
    this.#isEvicted = true;
  }

  #reportStatus(status: StoreStatus): void {
    this.#mustRefresh ||= status === 'resumed';
    for (const listener of this.#statusListeners) queueMicrotask(() => listener(status));
  }

  // --- The end ---

  /**
   * Calls a function when `close()` is called, before requests are refused. Calls it at once if
   * `close()` was called already.
   *
   * @returns a function that removes the callback.
   */
  beforeClose(callback: () => void): () => void {
    if (this.#closing) callback();
    this.#beforeClose.add(callback);
    return () => void this.#beforeClose.delete(callback);
  }

  /**
   * Waits for requests that were begun, rejects the others with `AccountClosed`, and frees the
   * engine. May be called again.
   *
   * @throws {@link TableError} `StorageUnavailable`, if the storage cannot be closed. The account
   * is closed nevertheless.
   */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    for (const callback of this.#beforeClose) callback();
    const refusal = (this.#refusal ??= () =>
      new TableError('AccountClosed', 'The account is closed.'));
    try {
      this.#loop.stopBackgroundWork();
      this.#queued.rejectAll(refusal);
      for (const request of this.#pending.ids()) this.#withdraw(request)?.reject(refusal());
      if (!this.#isIdle()) await this.#idle();
      this.hints.close();
      await closeStorage(this.#storage, this.#stopListening);
    } finally {
      this.#engine.close();
    }
  }

  #isIdle(): boolean {
    return this.#pending.isEmpty && this.#loop.storageCalls.areOver;
  }

  async #idle(): Promise<void> {
    const idle = new Promise<void>((resolve) => (this.#onceIdle = resolve));
    const stopWatching = this.#loop.storageCalls.watch(this.#giveUp);
    await idle;
    stopWatching?.();
  }

  // Calls to the storage are lost, so the requests that wait for them will never be answered.
  readonly #giveUp = (): void => {
    const refusal = (this.#refusal ??= () => callLost('StorageUnavailable'));
    this.#queued.rejectAll(refusal);
    for (const request of this.#pending.ids()) {
      const withdrawn = this.#withdraw(request);
      const pending = withdrawn ?? this.#pending.take(request);
      // A write that was begun may still be stored, if the call ends after all.
      const mayBeStored = !withdrawn && pending?.commitsBefore !== undefined;
      pending?.reject(mayBeStored ? callLost('StorageOutcomeUnknown') : refusal());
    }
    this.#onceIdle?.();
  };

  #abort(cause: unknown): void {
    const refusal = (this.#refusal = () => moduleAborted(cause));
    for (const request of this.#pending.ids()) {
      const pending = this.#pending.take(request);
      if (pending) pending.reject(this.#mayBeStored(pending) ? commitUnknown(cause) : refusal());
    }
    this.#queued.rejectAll(refusal);
    for (const listener of this.#abortListeners) listener(refusal());
  }

  // A commit that was begun since the engine got the write may hold it.
  #mayBeStored({ commitsBefore }: PendingRequest): boolean {
    return commitsBefore !== undefined && commitsBefore < this.#loop.commitsBegun;
  }
}

// The signal may fire before the caller has an answer that was there at once.
async function unlessAborted<T>(answer: T, signal: AbortSignalLike): Promise<T> {
  await Promise.resolve();
  if (signal.aborted) throw abortError(signal);
  return answer;
}
