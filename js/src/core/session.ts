/**
 * One opened account: it hands requests to the engine and answers to their callers.
 *
 * @module
 */

import { abortError, serverBusy, TableError } from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';
import { promised } from '../base/promised.js';
import type {
  Durability,
  PageStorage,
  StatusListener,
  StoreStatus,
} from '../storage/page-storage.js';
import { closeStorage, listenTo } from './adapter.js';
import type { AccountSession } from './account-session.js';
import type { EarlyRead } from './early-read.js';
import type { Answer, Operation, ReadBody } from './frames.js';
import { commitUnknown, GuardedEngine, moduleAborted } from './guarded-engine.js';
import { Hints } from './hints.js';
import { ImmediateTurns, inLaterTurn } from './immediate-turns.js';
import { defaultCacheBytes, waitingBytesFor } from './memory.js';
import type { CoreModule, FramePlace } from './module.js';
import { Operations } from './operations.js';
import { unwrap, type Outcome } from './outcome.js';
import { PendingRequests, type PendingRequest } from './pending-requests.js';
import { QueuedRequests } from './queued-requests.js';
import { RestGate } from './rest-gate.js';
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

/** An opened account whose engine runs in this thread. It owns the engine. */
export class Session implements AccountSession {
  readonly account: string;
  readonly isInWorker = false;
  readonly #engine: GuardedEngine;
  readonly #loop: StepLoop;
  readonly #storage: PageStorage;
  readonly #early: EarlyRead | undefined;
  readonly #operations: Operations;
  readonly #pending = new PendingRequests();
  readonly #turns = new ImmediateTurns();
  readonly #queued = new QueuedRequests(() => !this.#engine.isOver && this.#hasRoom());
  readonly #gate: RestGate;
  readonly #maxWaitingBytes: number;
  readonly #beforeClose = new Set<() => void>();
  readonly #hints: Hints;
  readonly #statusListeners = new Set<StatusListener>();
  readonly #abortListeners = new Set<(reason: TableError) => void>();
  readonly #stopListening: (() => void) | undefined;
  #lastImport = 0;
  #isEvicted = false;

  // Set when no further request is taken; makes the error that says why.
  #refusal: (() => TableError) | undefined;
  #closing: Promise<void> | undefined;
  #onceIdle: (() => void) | undefined;

  /** @param early - of the same storage. */
  constructor(module: CoreModule, options: SessionOptions, early?: EarlyRead) {
    const { account, baseUrl, storage, isService = false, maxMemoryBytes = Infinity } = options;
    const { cacheBytes = defaultCacheBytes(maxMemoryBytes) } = options;
    this.account = account;
    this.#maxWaitingBytes = waitingBytesFor(maxMemoryBytes);
    this.#storage = storage;
    this.#operations = new Operations((submission) => this.#take(submission), options.onWarnings);
    this.#hints = early?.hints ?? new Hints(storage);
    this.#hints.on(() => this.#operations.refreshNext());
    this.#hints.open();
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
      early,
      onAnswer: (request, outcome) => this.#answer(request, outcome),
      onCommit: (outcome) => {
        if (outcome === 'ok') this.#hints.send();
        if (outcome === 'quota') this.#reportStatus(outcome);
      },
      onIdle: () => {
        this.#queued.begin();
        if (this.#isIdle()) this.#onceIdle?.();
      },
    });
    this.#gate = new RestGate(module.rest, () => {
      if (!this.#refusal) this.#loop.resumeBackgroundWork();
    });
    // It needs the whole module.
    if (!this.#gate.isOpen) this.#loop.stopBackgroundWork();
    this.#early = early;
    early?.opened();
  }

  get storageKind(): string {
    // An object without a prototype has no class.
    return (this.#storage.constructor as { name: string } | undefined)?.name ?? 'Object';
  }

  get isOpen(): boolean {
    return !this.#refusal;
  }

  nextImport(): number {
    return ++this.#lastImport;
  }

  // --- Requests ---

  request(operation: Operation, signal?: AbortSignalLike, readBody?: ReadBody): Promise<Answer> {
    return this.#operations.request(operation, signal, readBody);
  }

  answer(
    operation: Operation,
    signal?: AbortSignalLike,
    readBody?: ReadBody,
  ): Answer | Promise<Answer> {
    return this.#operations.answer(operation, signal, readBody);
  }

  submit<T>(submission: Submission<T>): Promise<T> {
    return promised(() => this.#take(submission));
  }

  #take<T>(submission: Submission<T>): T | Promise<T> {
    const { signal, isImpatient, isOfFirstScreen } = submission;
    if (signal?.aborted) throw abortError(signal);
    if (this.#refusal) throw this.#refusal();
    if (!isOfFirstScreen && !this.#gate.isOpen) {
      return new Promise((resolve, reject) => {
        this.#gate.add({ begin: () => resolve(this.#take(submission)), reject, signal });
      });
    }
    if (this.#hasRoom() && this.#queued.isEmpty) return this.#begin(submission);
    if (isImpatient) throw serverBusy();
    return new Promise((resolve, reject) => {
      const begin = () => resolve(this.#begin(submission));
      this.#queued.add({ begin, reject, signal });
    });
  }

  #hasRoom(): boolean {
    return this.#pending.bytes < this.#maxWaitingBytes;
  }

  #begin<T>(submission: Submission<T>): T | Promise<T> {
    const { frame, read, isFresh, signal } = submission;
    if (isFresh) this.#early?.drop();
    const taken = this.#engine.submit(frame);
    if (typeof taken === 'number') {
      return new Promise((resolve, reject) => this.#await(taken, submission, resolve, reject));
    }
    this.#gate.fetchSoon();
    const answer = signal ? unlessAborted(read(taken), signal) : read(taken);
    return this.#turns.isDue ? inLaterTurn(answer) : answer;
  }

  #await<T>(
    request: number,
    { read, bytes, isWrite, signal }: Submission<T>,
    resolve: (answer: T) => void,
    reject: (reason: unknown) => void,
  ): void {
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
    this.#gate.fetchSoon();
    this.#pending.take(request, (pending) => {
      try {
        const place = unwrap(outcome, this.#loop.storageFailure);
        pending.resolve(this.#engine.frameAt(place));
      } catch (error) {
        if ((error as TableError).code === 'StorageEvicted') this.#reportEviction();
        pending.reject(error);
      }
    });
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

  onAbort(listener: (reason: TableError) => void): void {
    this.#abortListeners.add(listener);
  }

  onHint(listener: () => void): () => void {
    return this.#hints.on(listener);
  }

  onStatus(listener: StatusListener): () => void {
    this.#statusListeners.add(listener);
    return () => void this.#statusListeners.delete(listener);
  }

  #reportEviction(): void {
    if (!this.#isEvicted) this.#reportStatus('evicted');
    this.#isEvicted = true;
  }

  #reportStatus(status: StoreStatus): void {
    if (status === 'resumed') this.#operations.refreshNext();
    for (const listener of this.#statusListeners) queueMicrotask(() => listener(status));
  }

  // --- The end ---

  beforeClose(callback: () => void): () => void {
    if (this.#closing) callback();
    this.#beforeClose.add(callback);
    return () => void this.#beforeClose.delete(callback);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    for (const callback of this.#beforeClose) callback();
    const refusal = (this.#refusal ??= () =>
      new TableError('AccountClosed', 'The account is closed.'));
    try {
      this.#loop.stopBackgroundWork();
      this.#rejectWaiting(refusal);
      for (const request of this.#pending.ids()) this.#withdraw(request)?.reject(refusal());
      if (!this.#isIdle()) await this.#idle();
      this.#hints.close();
      await closeStorage(this.#storage, this.#stopListening);
    } finally {
      this.#engine.close();
    }
  }

  #rejectWaiting(reason: () => TableError): void {
    this.#gate.rejectAll(reason);
    this.#queued.rejectAll(reason);
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
    this.#rejectWaiting(refusal);
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
    this.#rejectWaiting(refusal);
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
