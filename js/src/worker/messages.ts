/**
 * What a page and a worker post to one another. The messages of one turn of the event loop travel
 * together.
 *
 * @module
 */

import type { Durability, StoreStatus } from '../storage/page-storage.js';
import type { StorageDescription } from '../storage/description.js';
import type { PostedError } from './posted-error.js';

/** Changes with each change of the messages here and of the frames in them. */
export const PROTOCOL = 4;

/** The first message to a worker. It brings the port of one account. */
export interface Hello {
  readonly entitable: typeof PROTOCOL;
  readonly port: MessagePort;
}

/** How to open the account. */
export interface OpenMessage {
  readonly kind: 'open';
  readonly account: string;
  readonly baseUrl: string;
  readonly isService: boolean;
  readonly durability: Durability | undefined;
  readonly cacheBytes: number | undefined;
  readonly maxMemoryBytes: number | undefined;
  /** Of each part: its address, its bytes, or the module. Undefined: it follows in `modules`. */
  readonly wasm: readonly unknown[];
  /** Undefined: the storage of the worker. */
  readonly storage: StorageDescription | undefined;
  /** The name of the lock that the page holds as long as it lives. */
  readonly pageLock: string;
}

/** A request; `Submission` and `RequestFrame` explain the members. */
export interface RequestMessage {
  readonly kind: 'request';
  /** No other request of the account has it. */
  readonly id: number;
  readonly frame: Uint8Array;
  readonly form: 'operation' | 'http';
  readonly contentBytes: number;
  readonly bytes: number;
  readonly isWrite: boolean;
  readonly isImpatient: boolean | undefined;
  readonly isFresh: boolean | undefined;
  /** Whether an `abort` may follow. */
  readonly canAbort: boolean;
}

/** What a page posts. */
export type PageMessage =
  | OpenMessage
  /** The parts of the module, which the page has compiled. */
  | { readonly kind: 'modules'; readonly modules: readonly WebAssembly.Module[] }
  | RequestMessage
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'close' };

/** What a worker posts. */
export type WorkerMessage =
  /** Its script runs. The worker holds the lock as long as it lives. */
  | { readonly kind: 'ready'; readonly workerLock: string }
  | { readonly kind: 'opened'; readonly storageKind: string }
  | { readonly kind: 'refused'; readonly error: PostedError }
  | { readonly kind: 'answer'; readonly id: number; readonly frame: Uint8Array }
  | { readonly kind: 'failure'; readonly id: number; readonly error: PostedError }
  | { readonly kind: 'hint' }
  | { readonly kind: 'status'; readonly status: StoreStatus }
  /** The module has aborted. */
  | { readonly kind: 'aborted'; readonly error: PostedError }
  | { readonly kind: 'closed'; readonly error: PostedError | undefined };

/** One end of the port of an account. */
export class MessageQueue<Sent, Received> {
  readonly #port: MessagePort;
  #messages: Sent[] = [];
  #transfer: Transferable[] = [];

  /**
   * @param onMessage - takes each message in the order of its posting.
   * @param onUnreadable - called when the platform cannot read what the other end has posted.
   */
  constructor(port: MessagePort, onMessage: (message: Received) => void, onUnreadable: () => void) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<Received[]>) => data.forEach(onMessage);
    port.onmessageerror = onUnreadable;
  }

  /** Posts a message at the end of this turn, after the earlier ones. */
  post(message: Sent, transfer?: Transferable): void {
    if (this.#messages.length === 0) queueMicrotask(() => this.flush());
    this.#messages.push(message);
    if (transfer) this.#transfer.push(transfer);
  }

  /** Posts at once what waits. */
  flush(): void {
    const messages = this.#messages;
    const transfer = this.#transfer;
    this.#messages = [];
    this.#transfer = [];
    if (messages.length > 0) this.#port.postMessage(messages, transfer);
  }

  /** Posts what waits, and takes no further message. */
  close(): void {
    this.flush();
    this.#port.onmessage = null;
    this.#port.close();
  }
}
