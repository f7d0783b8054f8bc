/**
 * How much a server holds in memory of what comes in and of what goes out.
 *
 * @module
 */

import type { IncomingMessage, ServerResponse } from 'node:http';

import { MAX_BODY_BYTES } from '../base/limits.js';
import { waitingBytesFor } from '../core/memory.js';
import { ByteBudget, type Share } from './byte-budget.js';

/** How much that is. */
export interface RoomLimits {
  /** Of bodies that are read, or wait for the core, but for small ones: `request-body.ts`. */
  readonly bodyBytes: number;
  /** Of lists that are being made, or wait for clients to read them. */
  readonly listBytes: number;
  /** The same for all other answers: a client that does not read its list delays no other requests. */
  readonly answerBytes: number;
  /** How long a request waits for its turn. */
  readonly waitMs: number;
}

export const ROOM_LIMITS: RoomLimits = {
  bodyBytes: 16 * 2 ** 20,
  listBytes: 128 * 2 ** 20,
  answerBytes: 64 * 2 ** 20,
  waitMs: 15_000,
};

/** The same, but for a module with little memory: where requests wait here, it refuses few. */
export function roomLimits(maxMemoryBytes = Infinity): RoomLimits {
  const { bodyBytes, listBytes, ...others } = ROOM_LIMITS;
  return {
    ...others,
    bodyBytes: Math.min(bodyBytes, waitingBytesFor(maxMemoryBytes)),
    listBytes: Math.min(listBytes, Math.floor(maxMemoryBytes / 4)),
  };
}

/** What a request holds on to. */
export interface Place {
  /**
   * Takes room for the whole body, of which a part has come. It is not taken before: clients that
   * only announce a body, or have no signature, must not keep others waiting.
   *
   * @returns false, if there was none for too long.
   */
  admitBody(): Promise<boolean>;
  /** Its answer is there: so long is it, and its body is needed no more. */
  answered(bytes: number): void;
  /** It holds on to nothing. May be called again. */
  leave(): void;
}

// What one request may bring, and what one may be answered with, save for a little.
const LARGEST = MAX_BODY_BYTES;
// What most are answered with, beside what they brought. Where it is more, that shows in time.
const ORDINARY = 64 * 1024;

/** Lets requests in for as long as there is room. */
export class RequestRoom {
  readonly #bodies: ByteBudget;
  readonly #lists: ByteBudget;
  readonly #answers: ByteBudget;
  readonly #waitMs: number;

  constructor({ bodyBytes, listBytes, answerBytes, waitMs }: RoomLimits) {
    this.#bodies = new ByteBudget(bodyBytes);
    this.#lists = new ByteBudget(listBytes);
    this.#answers = new ByteBudget(answerBytes);
    this.#waitMs = waitMs;
  }

  /** @returns undefined, if there was no room for too long. */
  async enter(message: IncomingMessage, response: ServerResponse): Promise<Place | undefined> {
    const answer = await (isList(message)
      ? this.#lists.take(LARGEST, this.#waitMs)
      : this.#answers.take(ORDINARY, this.#waitMs));
    return answer && this.#placeOf(answer, message, response);
  }

  #placeOf(answer: Share, message: IncomingMessage, response: ServerResponse): Place {
    const { socket } = message;
    let body: Share | undefined;
    const leave = () => {
      body?.release();
      answer.release();
    };
    // The answer was handed to the system, or its client has gone. Node says nothing of an answer
    // that still waited for the one before it when the socket closed.
    const close = () => {
      response.off('close', close);
      socket.off('close', close);
      leave();
    };
    return {
      admitBody: async () => {
        const bytes = bodyBytes(message);
        body = await this.#bodies.take(bytes, this.#waitMs);
        // Many answers repeat what was sent.
        if (body && !isList(message)) answer.resize(ORDINARY + bytes);
        return body !== undefined;
      },
      answered(bytes) {
        body?.release();
        answer.resize(bytes);
        if (response.closed || socket.destroyed) return leave();
        response.on('close', close);
        socket.on('close', close);
      },
      leave,
    };
  }
}

// Of entities, or of tables: no key is named.
function isList({ method, url = '' }: IncomingMessage): boolean {
  return method === 'GET' && !/\(.+\)/.test(url.replace(/\?.*$/s, ''));
}

function bodyBytes({ headers }: IncomingMessage): number {
  if ('transfer-encoding' in headers) return LARGEST;
  return Math.min(Number(headers['content-length'] ?? 0) || 0, LARGEST);
}
