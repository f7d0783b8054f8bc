/**
 * Which requests of clients a shard takes. The catalogue decides, and the shard keeps it.
 *
 * @module
 */

import { isTableError, serverBusy, storageError } from '../../base/errors.js';
import { failureResponse } from '../answers.js';
import { gateStateOf, SHARD_HEADER, type Backend, type GateState } from './protocol.js';
import type { RecordStore } from './records.js';

const READS = ['GET', 'HEAD', 'OPTIONS'];

type Asked = Pick<Request, 'method' | 'headers'>;

/** The gate of one shard. There must be only one at any time. */
export class ShardGate {
  readonly #record: RecordStore;
  readonly #erase: () => Promise<void>;
  #state: GateState | undefined;
  readonly #writes = new Set<Promise<unknown>>();

  /**
   * @param record - has the state; without a text, the gate is open.
   * @param erase - deletes everything that the shard stores, and perhaps the record.
   */
  constructor(record: RecordStore, erase: () => Promise<void>) {
    this.#record = record;
    this.#erase = erase;
  }

  /** Answers a request: of the catalogue, or of a client. */
  answer(request: Request, account: Backend): Promise<Response> {
    const { method, headers } = request;
    return this.#answer({ method, headers }, () => account(request));
  }

  async #answer({ method, headers }: Asked, send: () => Promise<Response>): Promise<Response> {
    const task = headers.get(SHARD_HEADER);
    if (task === 'own') return send();
    const state = gateStateOf(task);
    try {
      if (state) return await this.#set(state);
      if (task === 'empty') return await this.#empty();
      await this.#load();
      const isFilling = task === 'fill';
      if (this.#state === 'closed' && !isFilling) return closed();
      const isRead = READS.includes(method);
      const isAllowed = isFilling
        ? this.#state === 'closed'
        : this.#state === 'open' || (this.#state === 'reading' && isRead);
      if (!isAllowed) throw serverBusy();
      if (isRead) return await send();
    } catch (error) {
      if (!isTableError(error)) throw error;
      return failureResponse({ method, headers }, error);
    }
    // Nothing else has run since the state was read.
    const write = send();
    this.#writes.add(write);
    try {
      return await write;
    } finally {
      this.#writes.delete(write);
    }
  }

  // A crash in between may lose the state. An open gate without tables does no harm: it has no
  // entities, and a router that finds no table asks the catalogue.
  async #empty(): Promise<Response> {
    await this.#set('closed');
    await this.#erase().catch((cause: unknown) => {
      throw storageError(cause);
    });
    return this.#set('closed');
  }

  // Writes that the former state has allowed have ended when it answers.
  async #set(state: GateState): Promise<Response> {
    try {
      await this.#record.write(state);
    } catch (cause) {
      // What is stored is not known.
      this.#state = undefined;
      throw storageError(cause);
    }
    this.#state = state;
    await Promise.allSettled(this.#writes);
    return new Response(null, { status: 204 });
  }

  async #load(): Promise<void> {
    if (this.#state) return;
    const text = await this.#record.read();
    this.#state ??= gateStateOf(text ?? null) ?? 'open';
  }
}

const closed = () => new Response(null, { status: 421, headers: { [SHARD_HEADER]: 'closed' } });

/** Whether an answer is that of a closed shard, which has done nothing. */
export const isClosed = ({ status, headers }: Response): boolean =>
  status === 421 && headers.get(SHARD_HEADER) === 'closed';
