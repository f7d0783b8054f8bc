/**
 * Reads the bodies of requests, up to a limit.
 *
 * @module
 */

import type { IncomingMessage } from 'node:http';

import { bodyTooLarge } from '../../base/errors.js';

// So many bytes on every possible connection are as many as the limit for all larger bodies.
const SMALL_BODY = 32 * 1024;

// How many more bytes are read after a request was answered. If the client sends more, it finds the
// connection closed, and may lose the answer.
const DRAIN_BYTES = 16 * 2 ** 20;
const DRAIN_MS = 1_000;

/** Whether a request has a body, which may be empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return 'content-length' in headers || 'transfer-encoding' in headers;
}

/**
 * Whether the client sends its body only after an interim answer. Node answers other expectations
 * with 417; a client of HTTP/1.0 would not understand the answer.
 */
export function waitsToContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return 'expect' in headers && httpVersion === '1.1';
}

/** @throws {@link TableError} `RequestBodyTooLarge`, if a body is announced to reach the limit. */
export function refuseLongBody({ headers }: IncomingMessage, limit: number): void {
  if (Number(headers['content-length']) >= limit) throw bodyTooLarge();
}

/**
 * Reads at most `limit` bytes of a body.
 *
 * @param admit - called once, when more than a small body has arrived. Nothing is read while it
 * waits.
 * @returns undefined, if the body is empty.
 * @throws the error of `admit`; or that of Node, if the client has gone.
 */
export async function readBody(
  message: IncomingMessage,
  limit: number,
  admit: () => Promise<void>,
): Promise<Uint8Array | undefined> {
  // Most bodies have arrived as a whole by now.
  if (message.complete && message.readableLength <= SMALL_BODY) {
    return (message.read() as Buffer | null)?.subarray(0, limit);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  let isAdmitted = false;
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length >= limit) break;
    if (isAdmitted || length <= SMALL_BODY) continue;
    await admit();
    isAdmitted = true;
  }
  return length === 0 ? undefined : Buffer.concat(chunks).subarray(0, limit);
}

/**
 * Reads the rest of a body and discards it, up to a limit of bytes and time. Many clients read
 * their answer only after they have sent their body.
 */
export function drainBody(message: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (message.destroyed) return resolve();
    let left = DRAIN_BYTES;
    const stop = () => {
      clearTimeout(timer);
      message.pause();
      resolve();
    };
    const timer = setTimeout(stop, DRAIN_MS);
    message.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) stop();
    });
    message.on('end', stop).on('close', stop).resume();
  });
}
