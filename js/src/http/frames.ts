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

/** Hands a request to the core, whose module must have the HTTP front, and returns its id. */
export function submitHttpRequest(
  module: CoreModule,
  engine: Engine,
  { method, target, headers, requestId, grant, answered, body = new Uint8Array() }: HttpRequest,
): number {
  const encoder = new TextEncoder();
  const fields: Fields = [
    [METHOD, encoder.encode(method)],
    [TARGET, encoder.encode(target)],
    [REQUEST_ID, encoder.encode(requestId)],
  ];
  for (const [name, value] of headers) fields.push([HEADER, encoder.encode(`${name}:${value}`)]);
  if (grant) fields.push([GRANT, grantFrame(grant)]);
  if (answered !== undefined) fields.push([ANSWERED, encoder.encode(answered)]);
  // Last, because it is parsed where it lies.
  fields.push([BODY, body]);

  const length = lengthOf(fields);
  const start = engine.reserve(length);
  writeFields(fields, module.HEAPU8, start);
  return engine.submitHttp!(length);
}

type Fields = (readonly [tag: number, bytes: Uint8Array])[];

const lengthOf = (fields: Fields) =>
  fields.reduce((sum, [, bytes]) => sum + FIELD_PREFIX_BYTES + bytes.length, 0);

function writeFields(fields: Fields, to: Uint8Array, start: number): void {
  const view = new DataView(to.buffer, to.byteOffset, to.byteLength);
  let at = start;
  for (const [tag, bytes] of fields) {
    view.setUint8(at, tag);
    view.setUint32(at + 1, bytes.length, true);
    to.set(bytes, at + FIELD_PREFIX_BYTES);
    at += FIELD_PREFIX_BYTES + bytes.length;
  }
}

function grantFrame(grant: Grant): Uint8Array {
  const encoder = new TextEncoder();
  const fields = Object.entries(grant).flatMap(([name, text]: [string, string | undefined]) =>
    text === undefined ? [] : [[GRANT_TAGS[name as keyof Grant], encoder.encode(text)] as const],
  );
  const frame = new Uint8Array(lengthOf(fields));
  writeFields(fields, frame, 0);
  return frame;
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
