/**
 * Which requests of clients a shard takes. The catalogue decides, and the shard keeps it.
 *
 * @module
 */

import { isTableError, serverBusy, storageError } from '../../base/errors.js';
import { failureResponse } from '../answers.js';
import { FILL, gateStateOf, OWN, SHARD_HEADER, type GateState } from './protocol.js';
import type { RecordStore } from './records.js';
import type { Backend } from './router.js';

const READS = ['GET', 'HEAD', 'OPTIONS'];

type Asked = Pick<Request, 'method' | 'headers'>;

/** The gate of one shard. There must be only one at any time. */
export class ShardGate {
  readonly #record: RecordStore;
  #state: GateState | undefined;
  readonly #writes = new Set<Promise<unknown>>();

  /** @param record - has the state; without a text, the gate is open. */
  constructor(record: RecordStore) {
    this.#record = record;
  }

  /** Answers a request: of the catalogue, or of a client. */
  answer(request: Request, account: Backend): Promise<Response> {
    const { method, headers } = request;
    return this.#answer({ method, headers }, () => account(request));
  }

  async #answer({ method, headers }: Asked, send: () => Promise<Response>): Promise<Response> {
    const asked = headers.get(SHARD_HEADER);
    if (asked === OWN) return send();
    const state = gateStateOf(asked);
    try {
      if (state) return await this.#set(state);
      await this.#load();
      const isFilling = asked === FILL;
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
    // Nothing else has run since the look at the state.
    const write = send();
    this.#writes.add(write);
    try {
      return await write;
    } finally {
      this.#writes.delete(write);
    }
  }

  // When it answers, no write that a former state has allowed is under way.
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
