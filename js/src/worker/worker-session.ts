/**
 * The session of an account whose engine runs in a worker. It posts the frames of requests, and
 * reads the frames of their answers.
 *
 * @module
 */

import { abortError, TableError } from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { AccountSession } from '../core/account-session.js';
import { FrameWriter } from '../core/frame-writer.js';
import type { Answer, Operation, ReadBody, RequestFrame } from '../core/frames.js';
import { Operations } from '../core/operations.js';
import { PendingRequests } from '../core/pending-requests.js';
import type { Submission } from '../core/submission.js';
import { watchSleep } from '../storage/sleep.js';
import type { StatusListener, StoreStatus } from '../storage/page-storage.js';
import { MessageQueue, type PageMessage, type WorkerMessage } from './messages.js';
import { received } from './posted-error.js';

/** What a session needs of the worker that has opened the account. */
export interface WorkerSessionOptions {
  readonly account: string;
  readonly storageKind: string;
  readonly port: MessagePort;
  readonly onWarnings: ((json: string) => void) | undefined;

  /** Called once when the session is over: it releases what it held. */
  readonly onEnd: () => void;
}

/** An account in a worker. */
export class WorkerSession implements AccountSession {
  readonly account: string;
  readonly storageKind: string;
  readonly isInWorker = true;
  readonly #queue: MessageQueue<PageMessage, WorkerMessage>;
  readonly #operations: Operations;
  readonly #pending = new PendingRequests();
  readonly #beforeClose = new Set<() => void>();
  readonly #hintListeners = new Set<() => void>();
  readonly #statusListeners = new Set<StatusListener>();
  readonly #abortListeners = new Set<(reason: TableError) => void>();
  readonly #onEnd: () => void;
  readonly #stopWatching: () => void;
  #lastImport = 0;
  #lastRequest = 0;

  // Set when no further request is taken; makes the error that says why.
  #refusal: (() => TableError) | undefined;
  #closing: Promise<void> | undefined;
  #onceClosed: { resolve(): void; reject(reason: unknown): void } | undefined;
  #isOver = false;

  constructor({ account, storageKind, port, onWarnings, onEnd }: WorkerSessionOptions) {
    this.account = account;
    this.storageKind = storageKind;
    this.#onEnd = onEnd;
    this.#operations = new Operations((submission) => this.submit(submission), onWarnings);
    this.#queue = new MessageQueue<PageMessage, WorkerMessage>(
      port,
      (message) => this.#receive(message),
      () => this.die(),
    );
    // Only a page gets these events, and so not the worker.
    this.#stopWatching = watchSleep((isAsleep) => isAsleep || this.#reportStatus('resumed'));
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

  answer(operation: Operation, signal?: AbortSignalLike, readBody?: ReadBody): Promise<Answer> {
    return this.request(operation, signal, readBody);
  }

  submit<T>(submission: Submission<T>): Promise<T> {
    const { frame, read, bytes, isWrite, isImpatient, isFresh, signal } = submission;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw abortError(signal);
      if (this.#refusal) throw this.#refusal();
      const id = ++this.#lastRequest;
      const canAbort = signal !== undefined;
      const flags = { isWrite, isImpatient, isFresh, canAbort };
      this.#post(frame(), { kind: 'request', id, bytes, ...flags });
      const stopListening = signal && this.#abortWhen(signal, id, reject);
      this.#pending.add(id, {
        resolve: (answer) => resolve(read(answer)),
        reject,
        release: () => stopListening?.(),
        bytes,
        commitsBefore: isWrite ? 0 : undefined,
      });
    });
  }

  #post(
    frame: RequestFrame,
    request: Omit<PageMessage & { kind: 'request' }, 'frame' | 'form' | 'contentBytes'>,
  ): void {
    const { form, contentBytes } = frame;
    const bytes = new Uint8Array(frame.mostBytes);
    const writer = new FrameWriter(bytes, 0);
    frame.write(writer);
    const message = { ...request, form, contentBytes, frame: bytes.subarray(0, writer.at) };
    this.#queue.post(message, bytes.buffer);
  }

  // Returns a function that stops listening.
  #abortWhen(signal: AbortSignalLike, id: number, reject: (reason: unknown) => void) {
    const abort = () => {
      reject(abortError(signal));
      this.#pending.take(id);
      this.#queue.post({ kind: 'abort', id });
    };
    // eslint-disable-next-line entitable/abort-listeners -- submit() has read it just before
    signal.addEventListener('abort', abort);
    return () => signal.removeEventListener('abort', abort);
  }

  #receive(message: WorkerMessage): void {
    switch (message.kind) {
      case 'answer':
        return this.#answer(message.id, message.frame);
      case 'failure':
        return this.#pending.take(message.id)?.reject(received(message.error));
      case 'hint':
        return this.#hear();
      case 'status':
        return this.#reportStatus(message.status);
      case 'aborted':
        return this.#refuse(() => received(message.error) as TableError);
      case 'closed':
        return this.#closed(message.error && received(message.error));
      default:
    }
  }

  // A request that was aborted is no longer pending.
  #answer(id: number, frame: Uint8Array): void {
    const pending = this.#pending.take(id);
    try {
      pending?.resolve(frame);
    } catch (error) {
      pending?.reject(error);
    }
  }

  // --- Status ---

  onAbort(listener: (reason: TableError) => void): void {
    this.#abortListeners.add(listener);
  }

  onHint(listener: () => void): () => void {
    this.#hintListeners.add(listener);
    return () => void this.#hintListeners.delete(listener);
  }

  #hear(): void {
    this.#operations.refreshNext();
    for (const listener of this.#hintListeners) listener();
  }

  onStatus(listener: StatusListener): () => void {
    this.#statusListeners.add(listener);
    return () => void this.#statusListeners.delete(listener);
  }

  #reportStatus(status: StoreStatus): void {
    if (status === 'resumed') this.#operations.refreshNext();
    for (const listener of this.#statusListeners) queueMicrotask(() => listener(status));
  }

  #refuse(refusal: () => TableError): void {
    this.#refusal = refusal;
    for (const listener of this.#abortListeners) listener(refusal());
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
    this.#refusal ??= () => new TableError('AccountClosed', 'The account is closed.');
    if (this.#isOver) return;
    this.#queue.post({ kind: 'close' });
    await new Promise<void>((resolve, reject) => (this.#onceClosed = { resolve, reject }));
  }

  #closed(error: unknown): void {
    this.#end();
    if (error === undefined) this.#onceClosed?.resolve();
    else this.#onceClosed?.reject(error);
  }

  /** The worker has ended, so no answer will come. */
  die(): void {
    if (this.#isOver) return;
    this.#end();
    this.#refuse(workerEnded);
    for (const id of this.#pending.ids()) {
      const pending = this.#pending.take(id);
      const mayBeStored = pending?.commitsBefore !== undefined;
      pending?.reject(mayBeStored ? outcomeUnknown() : workerEnded());
    }
    this.#onceClosed?.resolve();
  }

  #end(): void {
    this.#isOver = true;
    this.#stopWatching();
    this.#queue.close();
    this.#onEnd();
  }
}

/** The error of a call that the worker cannot answer. */
export function workerEnded(): TableError {
  const message = 'The worker of the account has ended; open the account again.';
  return new TableError('ModuleAborted', message);
}

function outcomeUnknown(): TableError {
  const message = 'The worker of the account has ended; the change may be stored, or not.';
  return new TableError('StorageOutcomeUnknown', message);
}
