/**
 * A request of Node in the form that handlers take.
 *
 * @module
 */

import type { IncomingMessage, ServerResponse } from 'node:http';

import { serverBusy } from '../../base/errors.js';
import type { AbortSignalLike } from '../../base/platform.js';
import type { IncomingRequest, RequestHeaders } from '../../http.js';
import { hasBody, readBody, refuseLongBody, waitsToContinue } from './request-body.js';
import type { Place } from './request-room.js';
import type { RequestTally } from './request-tally.js';

/** @param place - undefined, if there is no room for the request. */
export function incomingRequest(
  message: IncomingMessage,
  response: ServerResponse,
  place: Place | undefined,
  isSecure: boolean,
  tally: RequestTally,
): IncomingRequest {
  const admit = async () => {
    if (!(await place?.admitBody())) throw serverBusy();
  };
  return {
    method: message.method ?? '',
    target: message.url ?? '',
    accountInHost: tally.accountInHost !== undefined,
    headers: new RawHeaders(message.rawHeaders),
    readBody(limit) {
      // Only clients with permission learn that there is no room.
      if (!place) throw serverBusy();
      if (!hasBody(message)) return undefined;
      refuseLongBody(message, limit);
      if (waitsToContinue(message)) response.writeContinue();
      return readBody(message, limit, admit).then((body) => {
        tally.bytesIn = body?.length ?? 0;
        return body;
      });
    },
    signal: new ClientSignal(message, response),
    origin: { isSecure, address: message.socket.remoteAddress },
  };
}

// Fires when the client has gone. An AbortController would take longer than the rest of a small
// request.
class ClientSignal implements AbortSignalLike {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(message: IncomingMessage, response: ServerResponse) {
    this.#message = message;
    this.#response = response;
  }

  get aborted(): boolean {
    return this.#response.destroyed || this.#message.socket.destroyed;
  }

  addEventListener(_: 'abort', listener: () => void): void {
    this.#response.on('close', listener);
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    this.#response.off('close', listener);
  }
}

// All values of the header, as the client sent them.
class RawHeaders implements RequestHeaders {
  readonly #raw: readonly string[];

  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get(name: string): string | null {
    const folded = name.toLowerCase();
    let found: string | null = null;
    for (let i = 0; i < this.#raw.length; i += 2) {
      const other = this.#raw[i]!;
      if (other.length !== name.length || other.toLowerCase() !== folded) continue;
      const value = this.#raw[i + 1]!;
      found = found === null ? value : `${found}, ${value}`;
    }
    return found;
  }

  *[Symbol.iterator](): Iterator<[string, string]> {
    for (let i = 0; i < this.#raw.length; i += 2) yield [this.#raw[i]!, this.#raw[i + 1]!];
  }
}
