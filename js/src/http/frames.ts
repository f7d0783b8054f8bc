/**
 * HTTP requests and their answers as bytes; the grammar is in `ARCHITECTURE.md`,
 * section "Frames".
 *
 * @module
 */

import type { CoreModule, Engine } from '../core/module.js';
import type { Grant } from './auth/shared-access.js';

/** Names in any case. */
export interface RequestHeaders extends Iterable<readonly [name: string, value: string]> {
  /** Of a header sent more than once, all values with commas between; null without one. */
  get(name: string): string | null;
}

/** A request as a client of the service sends it. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, still percent-encoded. */
  readonly target: string;
  /** A name may come more than once. */
  readonly headers: Iterable<readonly [name: string, value: string]>;
  /** A new GUID: what the client finds in `x-ms-request-id`. */
  readonly requestId: string;
  readonly body?: Uint8Array | undefined;
  /**
   * The names of the headers of its answer, with commas between: it only asks which ones pages of
   * its origin need beside them.
   */
  readonly answered?: string | undefined;
  /** Lines of settings, in place of the account's rules for pages of other origins. */
  readonly corsRules?: string | undefined;
  /** What it may do; if nothing is said, everything. */
  readonly grant?: Grant | undefined;
}

/** What the client is sent, be it a success or not. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: [name: string, value: string][];
  readonly body: Uint8Array<ArrayBuffer>;
}

const METHOD = 1;
const TARGET = 2;
const HEADER = 3;
const REQUEST_ID = 4;
const BODY = 5;
const GRANT = 6;
const ANSWERED = 7;
const CORS_RULES = 8;
const GRANT_TAGS: Readonly<Record<keyof Grant, number>> = {
  permissions: 1,
  resourceTypes: 2,
  table: 3,
  firstPartitionKey: 4,
  firstRowKey: 5,
  lastPartitionKey: 6,
  lastRowKey: 7,
};

const FIELD_PREFIX_BYTES = 5;

/**
 * Hands a request to the core, whose module must have the HTTP front, and returns its id, or 0: it
 * is answered.
 */
export function submitHttpRequest(
  module: CoreModule,
  engine: Engine,
  request: HttpRequest,
): number {
  const { method, target, headers, requestId, grant, answered, corsRules } = request;
  const { body = new Uint8Array() } = request;
  const texts: Texts = [
    [METHOD, method],
    [TARGET, target],
    [REQUEST_ID, requestId],
  ];
  for (const [name, value] of headers) texts.push([HEADER, `${name}:${value}`]);
  if (answered !== undefined) texts.push([ANSWERED, answered]);
  if (corsRules !== undefined) texts.push([CORS_RULES, corsRules]);
  const grantBytes = grant && grantFrame(grant);

  const most = mostBytesOf(texts) + 2 * FIELD_PREFIX_BYTES + (grantBytes?.length ?? 0);
  const start = engine.reserve(most + body.length);
  const to = module.HEAPU8;
  let at = writeTexts(texts, to, start);
  if (grantBytes) at = writeBytes(GRANT, grantBytes, to, at);
  // Last, because it is parsed where it lies.
  at = writeBytes(BODY, body, to, at);
  return engine.submitHttp!(at - start, Date.now());
}

type Texts = (readonly [tag: number, text: string])[];

// A unit of UTF-16 becomes three bytes at the most.
const mostBytesOf = (texts: Texts) =>
  texts.reduce((sum, [, text]) => sum + FIELD_PREFIX_BYTES + 3 * text.length, 0);

// These return where the field ends.
function writeTexts(texts: Texts, to: Uint8Array, at: number): number {
  for (const [tag, text] of texts) {
    const start = at + FIELD_PREFIX_BYTES;
    const length = writeUtf8(text, to, start);
    writePrefix(tag, length, to, at);
    at = start + length;
  }
  return at;
}

function writeBytes(tag: number, bytes: Uint8Array, to: Uint8Array, at: number): number {
  writePrefix(tag, bytes.length, to, at);
  to.set(bytes, at + FIELD_PREFIX_BYTES);
  return at + FIELD_PREFIX_BYTES + bytes.length;
}

function writePrefix(tag: number, length: number, to: Uint8Array, at: number): void {
  to[at] = tag;
  for (let i = 0; i < 4; i++) to[at + 1 + i] = length >>> (8 * i);
}

// Most texts are short and ASCII: an encoder would take longer to be called than this.
function writeUtf8(text: string, to: Uint8Array, start: number): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return new TextEncoder().encodeInto(text, to.subarray(start)).written;
    to[start + i] = unit;
  }
  return text.length;
}

function grantFrame(grant: Grant): Uint8Array {
  const texts = Object.entries(grant).flatMap(([name, text]: [string, string | undefined]) =>
    text === undefined ? [] : [[GRANT_TAGS[name as keyof Grant], text] as const],
  );
  const frame = new Uint8Array(mostBytesOf(texts));
  return frame.subarray(0, writeTexts(texts, frame, 0));
}

/** Reads the frame of an answer. */
export function readHttpAnswer(frame: Uint8Array): HttpAnswer {
  const decoder = new TextDecoder();
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const headers: [string, string][] = [];
  let body = new Uint8Array();
  for (let at = 2; at < frame.length;) {
    const tag = view.getUint8(at);
    const start = at + FIELD_PREFIX_BYTES;
    at = start + view.getUint32(at + 1, true);
    if (tag === BODY) {
      body = frame.slice(start, at);
    } else {
      const header = decoder.decode(frame.subarray(start, at));
      const colon = header.indexOf(':');
      headers.push([header.slice(0, colon), header.slice(colon + 1)]);
    }
  }
  return { status: view.getUint16(0, true), headers, body };
}
