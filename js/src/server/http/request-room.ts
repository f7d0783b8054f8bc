/**
 * Limits the memory for requests and answers.
 *
 * @module
 */

import type { IncomingMessage, ServerResponse } from 'node:http';

import { MAX_BODY_BYTES } from '../../base/limits.js';
import { waitingBytesFor } from '../../core/memory.js';
import { ByteBudget, type Share } from './byte-budget.js';

/** The limits of a server. */
export interface RoomLimits {
  /** For bodies that are read, or wait for the core, without small ones: `request-body.ts`. */
  readonly bodyBytes: number;
  /** For lists that the core makes, or that wait for clients to read them. */
  readonly listBytes: number;
  /** For lists that the core makes: its memory may be less than that of the server. */
  readonly madeListBytes: number;
  /** For all other answers: a client that does not read its list delays no other requests. */
  readonly answerBytes: number;
  /** How long a request may wait. */
  readonly waitMs: number;
}

export const ROOM_LIMITS: RoomLimits = {
  bodyBytes: 16 * 2 ** 20,
  listBytes: 128 * 2 ** 20,
  madeListBytes: 128 * 2 ** 20,
  answerBytes: 64 * 2 ** 20,
  waitMs: 15_000,
};

/**
 * For a module with little memory: requests wait here, so the module refuses few. While the module
 * makes a list, it needs several times the memory of the answer.
 */
export function roomLimits(maxMemoryBytes = Infinity): RoomLimits {
  const { bodyBytes, madeListBytes, ...others } = ROOM_LIMITS;
  return {
    ...others,
    bodyBytes: Math.min(bodyBytes, waitingBytesFor(maxMemoryBytes)),
    madeListBytes: Math.min(madeListBytes, Math.floor(maxMemoryBytes / 16)),
  };
}

/** The memory of one request. */
export interface Place {
  /**
   * Takes room for the whole body after a part of it has arrived. Not earlier: a client that only
   * announces a body, or has no signature, must not make others wait.
   *
   * @returns false, if the wait was too long.
   */
  admitBody(): Promise<boolean>;
  /** The answer has this length, and the body is not needed any more. */
  answered(bytes: number): void;
  /** Frees all of its room. May be called again. */
  leave(): void;
}

// The largest body and the largest answer, with a little more.
const LARGEST = MAX_BODY_BYTES;
// Room for most answers, beside the room of the body. A larger answer takes more when it is there.
const ORDINARY = 64 * 1024;

/** Admits requests while there is room. */
export class RequestRoom {
  readonly #bodies: ByteBudget;
  readonly #lists: ByteBudget;
  readonly #madeLists: ByteBudget;
  readonly #answers: ByteBudget;
  readonly #waitMs: number;

  constructor({ bodyBytes, listBytes, madeListBytes, answerBytes, waitMs }: RoomLimits) {
    this.#bodies = new ByteBudget(bodyBytes);
    this.#lists = new ByteBudget(listBytes);
    this.#madeLists = new ByteBudget(madeListBytes);
    this.#answers = new ByteBudget(answerBytes);
    this.#waitMs = waitMs;
  }

  /** @returns undefined, if the wait was too long. */
  async enter(message: IncomingMessage, response: ServerResponse): Promise<Place | undefined> {
    if (!isList(message)) {
      const answer = await this.#answers.take(ORDINARY, this.#waitMs);
      return answer && this.#placeOf({ answer }, message, response);
    }
    const start = performance.now();
    const answer = await this.#lists.take(LARGEST, this.#waitMs);
    const leftMs = this.#waitMs - (performance.now() - start);
    const made = answer && (await this.#madeLists.take(LARGEST, leftMs));
    if (!made) answer?.release();
    return made && this.#placeOf({ answer, made }, message, response);
  }

  #placeOf(
    { answer, made }: { answer: Share; made?: Share },
    message: IncomingMessage,
    response: ServerResponse,
  ): Place {
    const { socket } = message;
    let body: Share | undefined;
    const leave = () => {
      body?.release();
      made?.release();
      answer.release();
    };
    // The system has the answer, or the client has gone. Node reports nothing about an answer that
    // still waited for the one before it when the socket closed.
    const close = () => {
      response.off('close', close);
      socket.off('close', close);
      leave();
    };
    return {
      admitBody: async () => {
        const bytes = bodyBytes(message);
        body = await this.#bodies.take(bytes, this.#waitMs);
        // Many answers repeat the body.
        if (body && !isList(message)) answer.resize(ORDINARY + bytes);
        return body !== undefined;
      },
      answered(bytes) {
        body?.release();
        made?.release();
        answer.resize(bytes);
        if (response.closed || socket.destroyed) return leave();
        response.on('close', close);
        socket.on('close', close);
      },
      leave,
    };
  }
}

// A list of entities or of tables: the address has no key.
function isList({ method, url = '' }: IncomingMessage): boolean {
  return method === 'GET' && !/\(.+\)/.test(url.replace(/\?.*$/s, ''));
}

function bodyBytes({ headers }: IncomingMessage): number {
  if ('transfer-encoding' in headers) return LARGEST;
  return Math.min(Number(headers['content-length'] ?? 0) || 0, LARGEST);
}
