/**
 * The one loop between the core and its storage, and the only asynchronous code
 * under the API: it hands requests in, does what the core asks for, and hands
 * answers out.
 *
 * @module
 */

import {
  abortError,
  isTableError,
  serverBusy,
  storageError,
  TableError,
  type ErrorCode,
} from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';
import { shown } from '../base/shown.js';
import type {
  CommitResult,
  Durability,
  PageStorage,
  ReadRequest,
  Snapshot,
  StatusListener,
  StoreStatus,
} from '../storage/page-storage.js';
import { clock } from './clock.js';
import {
  answerPlace,
  bytesOf,
  readAnswer,
  submitOperation,
  supplySnapshot,
  type Answer,
  type Operation,
  type ReadBody,
} from './frames.js';
import { HeldRequests } from './held-requests.js';
import { Hints } from './hints.js';
import { cacheBytesFor, waitingBytesFor } from './memory.js';
import {
  COMMIT_OUTCOMES,
  type CommitStep,
  type CoreModule,
  type Engine,
  type FramePlace,
  type ReadStep,
  type Step,
} from './module.js';
import { inNextTurn } from './next-turn.js';
import { unwrap, type Outcome, type StorageFailure } from './outcome.js';
import { PendingRequests, type PendingRequest } from './pending-requests.js';
import { isRead } from './reads.js';
import { checkedResult, checkedSnapshot } from './snapshot.js';
import { StorageCalls } from './storage-calls.js';

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
  /** Whether keys are held to the stricter limit. */
  readonly isService?: boolean | undefined;
  /** Is told what was stored, and yet the service may refuse: a JSON array. */
  readonly onWarnings?: ((json: string) => void) | undefined;
}

/** A request in any form. */
export interface Submission<T> {
  /** Hands it to the core, and returns its id. */
  readonly write: (module: CoreModule, engine: Engine) => number;
  /** Reads the frame of its answer, which is no longer there afterwards. */
  readonly read: (frame: Uint8Array) => T;
  /** About how many bytes it takes in the core; none, if it waits for as long as nothing happens. */
  readonly bytes: number;
  /** Whether it may change anything. */
  readonly isWrite: boolean;
  /** Whether it is refused with `ServerBusy` where many wait, and does not wait itself. */
  readonly isImpatient?: boolean | undefined;
  readonly signal?: AbortSignalLike | undefined;
}

const LOST_CALL = 'A call to the storage has not ended for ten seconds.';
const LOST_CALL_HELP =
  'A Worker ends it with the request that made it: keep the account in a Durable Object, or open and ' +
  'close it within each request.';

// A turn of the event loop takes less, unless the page sleeps.
const OVERDUE_MS = 200;

/** One opened account: it owns the handle of the core. */
export class Session {
  /** The name of the account. */
  readonly account: string;
  readonly #module: CoreModule;
  readonly #engine: Engine;
  readonly #storage: PageStorage;
  readonly #durability: Durability | undefined;
  readonly #onWarnings: ((json: string) => void) | undefined;
  readonly #pending = new PendingRequests();
  readonly #held = new HeldRequests(() => !this.#isOver && this.#hasRoom());
  readonly #maxWaitingBytes: number;
  readonly #beforeClose = new Set<() => void>();
  readonly hints: Hints;
  readonly #statusListeners = new Set<StatusListener>();
  readonly #abortListeners = new Set<(reason: TableError) => void>();
  readonly #stopListening: (() => void) | undefined;
  #lastImport = 0;
  #isScheduled = false;

  // When reads that need more than a slice let others have their turn; 0 when none does.
  #yieldedAt = 0;
  readonly #storageCalls = new StorageCalls();

  // Commits of records of the log.
  #commitsBegun = 0;
  #isEvicted = false;

  // Others may have written while the page slept: reads look first until one has done so.
  #mustLook = false;

  // What storage reported when it last failed, for the errors that follow: an import may hear of
  // that there is no room only after others have stored something.
  readonly #storageFailure: StorageFailure = {};

  // Set when no further request is taken; makes the error that says why.
  #refusal: (() => TableError) | undefined;

  // True from when the core must not be called any more.
  #isOver = false;
  #closing: Promise<void> | undefined;
  #onceSettled: (() => void) | undefined;

  // Runs the core for upkeep that waits until no write comes; and when it is to do so.
  #upkeep: ReturnType<typeof setTimeout> | undefined;
  #upkeepAt = 0;

  constructor(module: CoreModule, options: SessionOptions) {
    const { account, baseUrl, isService = false, maxMemoryBytes = Infinity } = options;
    const { cacheBytes = cacheBytesFor(maxMemoryBytes) } = options;
    this.#maxWaitingBytes = waitingBytesFor(maxMemoryBytes);
    this.account = account;
    this.#module = module;
    this.#storage = options.storage;
    this.hints = new Hints(options.storage);
    this.#durability = options.durability;
    this.#onWarnings = options.onWarnings;
    this.#stopListening = listenTo(this.#storage, (status) => this.#tellStatus(status));
    const random = crypto.getRandomValues(new Uint8Array(32));
    const { Engine } = module;
    this.#engine = new Engine(account, baseUrl, random, isService, cacheBytes, maxMemoryBytes);
  }

  /**
   * Carries out an operation. Those of one turn of the event loop go to the core
   * together, so that their writes share a commit.
   *
   * @param signal - withdraws the request. If it was already begun, the promise is
   * rejected all the same, and a write may still come true.
   * @param readBody - takes the body of the answer, which then has none.
   * Where many bytes of requests wait already, it waits for its turn here.
   *
   * @throws {@link TableError} under the code of the core, `AccountClosed` or `ModuleAborted`;
   * `StorageOutcomeUnknown`, if the module aborted when the storage may have been storing it; the
   * reason of the signal when it fired.
   */
  request(operation: Operation, signal?: AbortSignalLike, readBody?: ReadBody): Promise<Answer> {
    const mustLook = this.#mustLook;
    if (mustLook) operation = { ...operation, fresh: true };
    return this.submit({
      write: (module, engine) => submitOperation(module, engine, operation),
      read: (frame) => {
        if (mustLook) this.#mustLook = false;
        return this.#heeded(readAnswer(frame, readBody));
      },
      bytes: operation.kind === 'awaitChanges' ? 0 : bytesOf(operation),
      isWrite: !isRead(operation.kind),
      signal,
    });
  }

  /** Has a function called when the module aborts: nothing else can be asked of this session. */
  onAbort(listener: (reason: TableError) => void): void {
    this.#abortListeners.add(listener);
  }

  /** See `TableServiceClient.onStatus()`. */
  onStatus(listener: StatusListener): () => void {
    this.#statusListeners.add(listener);
    return () => void this.#statusListeners.delete(listener);
  }

  #tellEviction(): void {
    if (!this.#isEvicted) this.#tellStatus('evicted');
    this.#isEvicted = true;
  }

  #tellStatus(status: StoreStatus): void {
    this.#mustLook ||= status === 'resumed';
    for (const listener of this.#statusListeners) queueMicrotask(() => listener(status));
  }

  // The write is stored, even if the callback throws.
  #heeded(answer: Answer): Answer {
    const { warnings } = answer;
    if (warnings) queueMicrotask(() => this.#onWarnings?.(warnings));
    return answer;
  }

  /** The same for a request in any form. */
  submit<T>(submission: Submission<T>): Promise<T> {
    const { signal, isImpatient } = submission;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw abortError(signal);
      if (this.#refusal) throw this.#refusal();
      const begin = () => this.#begin(submission, resolve, reject);
      if (this.#hasRoom() && this.#held.isEmpty) begin();
      else if (isImpatient) throw serverBusy();
      else this.#held.add({ begin, reject, signal });
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
    const request = this.#call(() => write(this.#module, this.#engine));
    if (request === 0) {
      const answer = read(this.#frameAt(answerPlace(this.#module, this.#engine)));
      resolve(signal ? unlessAborted(answer, signal) : answer);
      return;
    }
    const stopListening = signal && this.#withdrawWhen(signal, request, reject);
    const stopWatching = this.#storageCalls.watch(this.#giveUp);
    const pending = {
      resolve: (frame: Uint8Array) => resolve(read(frame)),
      reject,
      release: () => {
        stopListening?.();
        stopWatching?.();
      },
      bytes,
      commitsBefore: isWrite ? this.#commitsBegun : undefined,
    };
    this.#pending.add(request, pending);
    this.#schedule();
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

  /** Whether the module takes requests of HTTP. */
  get hasHttp(): boolean {
    return 'submitHttp' in this.#engine;
  }

  /** A number for an import that no other one of this session has. */
  nextImport(): number {
    return ++this.#lastImport;
  }

  /**
   * Has a function called when `close()` is, before requests are refused; at once, if it was.
   *
   * @returns a function that takes it back.
   */
  beforeClose(callback: () => void): () => void {
    if (this.#closing) callback();
    this.#beforeClose.add(callback);
    return () => void this.#beforeClose.delete(callback);
  }

  // Returns what stops to listen.
  #withdrawWhen(signal: AbortSignalLike, request: number, reject: (reason: unknown) => void) {
    const abort = () => {
      reject(abortError(signal));
      if (this.#withdraw(request)) this.#held.begin();
    };
    // eslint-disable-next-line entitable/abort-listeners -- a request that was aborted is not begun
    signal.addEventListener('abort', abort);
    return () => signal.removeEventListener('abort', abort);
  }

  /**
   * Waits for what is under way, rejects what was not begun with `AccountClosed`,
   * and frees the handle. May be called again.
   *
   * @throws {@link TableError} `StorageUnavailable`, if the storage cannot be closed; the
   * account is closed all the same.
   */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    clearTimeout(this.#upkeep);
    for (const callback of this.#beforeClose) callback();
    const refusal = (this.#refusal ??= () =>
      new TableError('AccountClosed', 'The account is closed.'));
    try {
      this.#tell(() => this.#engine.stopBackgroundWork());
      this.#held.rejectAll(refusal);
      for (const request of this.#pending.ids()) this.#withdraw(request)?.reject(refusal());
      if (!this.#isSettled()) await this.#settled();
      this.hints.close();
      await closeStorage(this.#storage, this.#stopListening);
    } finally {
      // The memory of a module that aborted goes with its instance.
      if (!this.#isOver) this.#engine.delete();
      this.#isOver = true;
    }
  }

  async #settled(): Promise<void> {
    const settled = new Promise<void>((resolve) => (this.#onceSettled = resolve));
    const stopWatching = this.#storageCalls.watch(this.#giveUp);
    await settled;
    stopWatching?.();
  }

  // Calls to the storage are lost, so nothing that waits for them ever comes.
  readonly #giveUp = (): void => {
    const lost = (code: ErrorCode) => new TableError(code, LOST_CALL, { sentence: LOST_CALL_HELP });
    const refusal = (this.#refusal ??= () => lost('StorageUnavailable'));
    this.#held.rejectAll(refusal);
    for (const request of this.#pending.ids()) {
      const withdrawn = this.#withdraw(request);
      const pending = withdrawn ?? this.#pending.take(request);
      // A write that is under way may still be stored, should the call end after all.
      const mayBeStored = !withdrawn && pending?.commitsBefore !== undefined;
      pending?.reject(mayBeStored ? lost('StorageOutcomeUnknown') : refusal());
    }
    this.#onceSettled?.();
  };

  #isSettled(): boolean {
    return this.#pending.isEmpty && this.#storageCalls.areOver;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#run();
    });
  }

  // Until the core waits for storage, or for the next request; or to the commit that goes
  // with an exclusive read, which is returned and not carried out.
  #run(isHeld = false): CommitStep | undefined {
    if (!isHeld && this.#isYielding()) return undefined;
    for (let step: Step | undefined; (step = this.#tell(() => this.#engine.run(clock.now())));) {
      if (step.kind === 'idle') {
        if (step.backgroundWorkInMs) this.#runAfter(step.backgroundWorkInMs);
        break;
      }
      if (step.kind === 'yield') {
        this.#yield();
        break;
      }
      if (step.kind === 'commit' && isOfLog(step)) this.#commitsBegun++;
      if (step.kind === 'answer') this.#answer(step.request, step.outcome);
      // eslint-disable-next-line @typescript-eslint/no-floating-promises -- it catches all, and tells the core
      else if (step.kind === 'read') void this.#read(step);
      else if (step.exclusive && isHeld) return step;
      // eslint-disable-next-line @typescript-eslint/no-floating-promises -- the same
      else void this.#commit(step);
    }
    this.#held.begin();
    if (this.#isSettled()) this.#onceSettled?.();
    return undefined;
  }

  #yield(): void {
    this.#yieldedAt = Date.now();
    inNextTurn(() => {
      if (!this.#yieldedAt) return;
      this.#yieldedAt = 0;
      void this.#run();
    });
  }

  // The turn that is overdue may never come: where a request that was answered ends its tasks.
  #isYielding(): boolean {
    if (this.#yieldedAt && Math.abs(Date.now() - this.#yieldedAt) > OVERDUE_MS) this.#yieldedAt = 0;
    return this.#yieldedAt > 0;
  }

  // A timer that comes too early asks again, which costs less than to begin one for each write.
  // One that is overdue may never come: where a request that was answered ends its timers.
  #runAfter(ms: number): void {
    const now = performance.now();
    if (now < this.#upkeepAt && this.#upkeepAt <= now + ms) return;
    clearTimeout(this.#upkeep);
    this.#upkeepAt = now + ms;
    this.#upkeep = setTimeout(() => {
      this.#upkeepAt = 0;
      void this.#run();
    }, ms);
  }

  #answer(request: number, outcome: Outcome<FramePlace>): void {
    const pending = this.#pending.take(request);
    try {
      const place = unwrap(outcome, this.#storageFailure);
      pending?.resolve(this.#frameAt(place));
    } catch (error) {
      if ((error as TableError).code === 'StorageEvicted') this.#tellEviction();
      pending?.reject(error);
    }
  }

  #frameAt({ start, length }: FramePlace): Uint8Array {
    return this.#module.HEAPU8.subarray(start, start + length);
  }

  async #read({ id, keys, recordsAfter, exclusive }: ReadStep): Promise<void> {
    this.#storageCalls.begin();
    const request = { keys, recordsAfter };
    const supply = (given: Snapshot) => {
      const snapshot = checkedSnapshot(given, request);
      return this.#tell(() => this.#supply(id, snapshot));
    };
    try {
      if (exclusive && this.#storage.exclusively) await this.#commitExclusively(request, supply);
      else supply(await this.#storage.read(request));
    } catch (cause) {
      this.#storageFailure.cause = cause;
      const error = (this.#storageFailure.error = storageError(cause));
      this.#tell(() => this.#engine.readFailed(id, error.code, error.message));
    }
    this.#storageCalls.end();
    this.#run();
  }

  // A snapshot for which there is no memory fails what needs it, and nothing else.
  #supply(id: number, snapshot: Snapshot): boolean {
    try {
      return supplySnapshot(this.#module, this.#engine, id, snapshot);
    } catch (error) {
      if (!isTableError(error)) throw error;
      this.#engine.readFailed(id, error.code, error.message);
      return false;
    }
  }

  // Rejects if it could not read.  After that a rejection, against the contract, is an outcome,
  // as it is of a commit: or the core would wait for ever.
  async #commitExclusively(
    request: ReadRequest,
    supply: (snapshot: Snapshot) => boolean | undefined,
  ): Promise<void> {
    let commit: CommitStep | undefined;
    let refusal: Error | undefined;
    let isDecided = false;
    const decide = (snapshot: Snapshot) => {
      isDecided = true;
      try {
        if (supply(snapshot)) commit = this.#run(true);
      } catch (cause) {
        refusal = cause as Error;
      }
      return commit?.batch;
    };
    const options = { durability: this.#durability };
    let result: CommitResult | undefined;
    try {
      result = await this.#storage.exclusively!(request, decide, options);
    } catch (cause) {
      if (!commit) throw cause;
      result = { outcome: 'unknown', cause };
    }
    if (!isDecided) throw new TypeError('exclusively() did not call decide().');
    if (refusal) throw refusal;
    if (commit) this.#settle(commit, result);
  }

  async #commit(step: CommitStep): Promise<void> {
    this.#storageCalls.begin();
    let result: CommitResult;
    try {
      result = await this.#storage.commit(step.batch, { durability: this.#durability });
    } catch (cause) {
      result = { outcome: 'unknown', cause };
    }
    this.#settle(step, result);
    this.#storageCalls.end();
    this.#run();
  }

  #settle({ id, batch }: CommitStep, result: CommitResult | undefined): void {
    const { outcome, cause, room } = checkedResult(result);
    if (outcome !== 'moved') this.#storageFailure.cause = cause;
    if (outcome === 'ok') this.hints.send();
    if (outcome === 'quota') {
      const needed = batch.puts.reduce((bytes, [, value]) => bytes + value.length, 0);
      this.#storageFailure.room = { ...room, needed };
      this.#tellStatus(outcome);
    }
    this.#tell(() => this.#engine.complete(id, COMMIT_OUTCOMES.indexOf(outcome)));
  }

  // If it was begun it stays pending: its answer comes, though nobody may hear it.
  #withdraw(request: number): PendingRequest | undefined {
    return this.#tell(() => this.#engine.cancel(request)) ? this.#pending.take(request) : undefined;
  }

  // For calls that no caller waits for: if the module aborts, all who wait were told.
  #tell<T>(work: () => T): T | undefined {
    if (this.#isOver) return undefined;
    try {
      return this.#call(work);
    } catch {
      return undefined;
    }
  }

  // Nothing is ever thrown across the line, save by a module that aborts.
  #call<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      if (isTableError(cause)) throw cause;
      throw this.#abort(cause);
    }
  }

  #abort(cause: unknown): TableError {
    const message = 'The WebAssembly module has aborted; open the account again.';
    const refusal = () => new TableError('ModuleAborted', message, { cause });
    this.#isOver = true;
    this.#refusal = refusal;
    for (const request of this.#pending.ids()) {
      const pending = this.#pending.take(request);
      if (pending) pending.reject(this.#mayBeStored(pending) ? abortedCommit(cause) : refusal());
    }
    this.#held.rejectAll(refusal);
    for (const listener of this.#abortListeners) listener(refusal());
    return refusal();
  }

  // A commit that was begun since the core got the write may have it.
  #mayBeStored({ commitsBefore }: PendingRequest): boolean {
    return commitsBefore !== undefined && commitsBefore < this.#commitsBegun;
  }
}

function listenTo(storage: PageStorage, listener: StatusListener): (() => void) | undefined {
  try {
    const stop: unknown = storage.onStatus?.(listener);
    if (stop === undefined || typeof stop === 'function') return stop as undefined | (() => void);
    // It may be a promise, of which nobody else hears.
    Promise.resolve(stop).catch(() => undefined);
    throw new TypeError(`onStatus() of the storage returned ${shown(stop)}, and no function.`);
  } catch (cause) {
    throw storageError(cause, 'The storage does not take a listener.');
  }
}

// Either may throw, or be no function: adapters are anybody's.
async function closeStorage(
  storage: PageStorage,
  stopListening: (() => void) | undefined,
): Promise<void> {
  try {
    try {
      stopListening?.();
    } finally {
      await storage.close();
    }
  } catch (cause) {
    throw storageError(cause, 'The storage cannot be closed.');
  }
}

// It may fire before the caller has the answer that was there at once.
async function unlessAborted<T>(answer: T, signal: AbortSignalLike): Promise<T> {
  await Promise.resolve();
  if (signal.aborted) throw abortError(signal);
  return answer;
}

// Not a step of keeping the store in shape, which has no writes that anybody waits for.
const isOfLog = ({ batch }: CommitStep) => batch.puts.some(([key]) => /^log\/\d/.test(key));

const abortedCommit = (cause: unknown) =>
  new TableError(
    'StorageOutcomeUnknown',
    'The WebAssembly module has aborted; the change may be stored, or not.',
    { cause },
  );
