/**
 * HTTP requests and their answers as bytes. The grammar is in `docs/internals/frames.md`.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { MAX_BODY_BYTES } from '../base/limits.js';
import type { OwnBytes } from '../base/platform.js';
import { textOfUtf8 } from '../base/utf8.js';
import {
  FIELD_PREFIX_BYTES,
  FrameWriter,
  mostFieldBytes,
  type FieldContent,
} from '../core/frame-writer.js';
import type { RequestFrame } from '../core/frames.js';
import type { Refusal } from './auth/refusal.js';
import type { SasPermissions } from './auth/shared-access.js';

/** Headers, with names in any case. */
export interface RequestHeaders extends Iterable<readonly [name: string, value: string]> {
  /** All values of a header, with commas between; null, if there is none. */
  get(name: string): string | null;
}

/** A request of a client of the service. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, still percent-encoded. */
  readonly target: string;
  /** Whether the host of the target, or of the header, names the account, and not the path. */
  readonly accountInHost?: boolean | undefined;
  /** A name may come more than once. */
  readonly headers: Iterable<readonly [name: string, value: string]>;
  /** A new GUID; the client gets it as `x-ms-request-id`. */
  readonly requestId: string;
  readonly body?: Uint8Array | undefined;
  /**
   * The names of the headers of its answer, with commas between. Such a request only asks which
   * CORS headers the answer needs.
   */
  readonly answered?: string | undefined;
  /** CORS rules as lines of settings, in place of the rules of the account. */
  readonly corsRules?: string | undefined;
  /** The limits of its shared access signature; without one, it may do everything. */
  readonly sasPermissions?: SasPermissions | undefined;
  /** The refusal to answer with; the request is not carried out. */
  readonly refusal?: Refusal | undefined;
}

/** The answer to a request, of a success or a failure. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: [name: string, value: string][];
  readonly body: OwnBytes;
}

const METHOD = 1;
const TARGET = 2;
const HEADER = 3;
const REQUEST_ID = 4;
const BODY = 5;
const SAS_PERMISSIONS = 6;
const ANSWERED = 7;
const CORS_RULES = 8;
const REFUSAL = 9;
const ACCOUNT_IN_HOST = 10;
const REFUSAL_TAGS: Readonly<Record<keyof Refusal, number>> = {
  status: 1,
  code: 2,
  message: 3,
  challenge: 4,
};
const SAS_PERMISSION_TAGS: Readonly<Record<keyof SasPermissions, number>> = {
  permissions: 1,
  resourceTypes: 2,
  table: 3,
  firstPartitionKey: 4,
  firstRowKey: 5,
  lastPartitionKey: 6,
  lastRowKey: 7,
};

/**
 * The frame of a request.
 *
 * @throws {@link TableError} `InvalidInput`, if a text is longer than a request.
 */
export function httpFrame(request: HttpRequest): RequestFrame {
  const fields = fieldsOf(request);
  let mostBytes = 0;
  for (const [, content] of fields) {
    // The core refuses a body that is too long.
    if (typeof content === 'string' && content.length > MAX_BODY_BYTES) throw invalidInput();
    mostBytes += mostFieldBytes(content);
  }
  return {
    form: 'http',
    mostBytes,
    contentBytes: request.target.length + (request.body?.length ?? 0),
    write: (writer) => {
      for (const [tag, content] of fields) writer.field(tag, content);
    },
  };
}

type Field = readonly [tag: number, content: FieldContent];

function fieldsOf(request: HttpRequest): Field[] {
  const { method, target, headers, requestId, answered, corsRules, body } = request;
  const { accountInHost, sasPermissions, refusal } = request;
  const fields: Field[] = [
    [METHOD, method],
    [TARGET, target],
    [REQUEST_ID, requestId],
  ];
  for (const [name, value] of headers) fields.push([HEADER, `${name}:${value}`]);
  if (accountInHost) fields.push([ACCOUNT_IN_HOST, '']);
  if (answered !== undefined) fields.push([ANSWERED, answered]);
  if (corsRules !== undefined) fields.push([CORS_RULES, corsRules]);
  if (sasPermissions !== undefined)
    fields.push([SAS_PERMISSIONS, innerFrame(sasPermissions, SAS_PERMISSION_TAGS)]);
  if (refusal !== undefined) fields.push([REFUSAL, innerFrame(refusal, REFUSAL_TAGS)]);
  // Last, because the core parses it in place.
  if (body !== undefined) fields.push([BODY, body]);
  return fields;
}

function innerFrame<T extends object>(
  values: T,
  tags: Readonly<Record<keyof T, number>>,
): Uint8Array {
  const texts = Object.entries(values).flatMap(([name, value]): [keyof T, string][] =>
    value === undefined ? [] : [[name as keyof T, `${value}`]],
  );
  const most = texts.reduce((sum, [, text]) => sum + mostFieldBytes(text), 0);
  const frame = new Uint8Array(most);
  const writer = new FrameWriter(frame, 0);
  for (const [name, text] of texts) writer.field(tags[name], text);
  return frame.subarray(0, writer.at);
}

/** Reads the frame of an answer. */
export function readHttpAnswer(frame: Uint8Array): HttpAnswer {
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
      // All lines at once, because a call of the decoder takes longer than its work.
      const lines = textOfUtf8(frame.subarray(start, at)).split('\n');
      lines.pop();
      for (const line of lines) {
        const colon = line.indexOf(':');
        headers.push([line.slice(0, colon), line.slice(colon + 1)]);
      }
    }
  }
  return { status: view.getUint16(0, true), headers, body };
}
