/**
 * Operations, answers and snapshots as bytes. The grammar is in `docs/internals/frames.md`. Frames
 * are written into the memory of the module.
 *
 * @module
 */

import { bodyTooLarge, invalidInput, serverBusy } from '../base/errors.js';
import { isBytes } from '../base/kinds.js';
import { MAX_BODY_BYTES } from '../base/limits.js';
import { textOfUtf8 } from '../base/utf8.js';
import type { Snapshot } from '../storage/page-storage.js';
import { clock } from './clock.js';
import { FIELD_PREFIX_BYTES, FrameWriter, mostFieldBytes } from './frame-writer.js';
import type { FieldContent } from './frame-writer.js';
import type { CoreModule, Engine } from './module.js';
import {
  FLAGS,
  IMPORT_MODES,
  IMPORT_PART_TAG,
  OPERATION_KINDS,
  OPERATION_TAGS,
  PART_TAG,
  type Answer,
  type ImportPart,
  type Operation,
} from './operation.js';
import { snapshotBytes, writeSnapshot } from './snapshot-frame.js';

export { IMPORT_MODES, OPERATION_KINDS, type Answer, type ImportPart, type Operation };

/** The fields of an answer by their tags. */
export const ANSWER_NAMES: Readonly<Record<number, Exclude<keyof Answer, 'status' | 'parts'>>> = {
  1: 'etag',
  2: 'nextPartitionKey',
  3: 'nextRowKey',
  4: 'nextTableName',
  5: 'body',
  7: 'warnings',
  8: 'position',
  9: 'origins',
  10: 'scores',
  11: 'ranges',
};
const BODY_TAG = 5;
const WARNINGS_TAG = 7;

// Doubles without a fraction are annotated, so that 3.0 does not come back as 3.
const TYPED_METADATA = 3;
const RESTORE = 3;
// `WireFormat` of `entitable/operation.h`, between the flags.
const VALUES = 1 << 2;
const LINES = 2 << 2;

const IMPORT_PART_BYTES = 6;
const HEADER_BYTES = 3;

// What a remote account has answered: pages of entities.
const MAX_SYNC_BYTES = 64 << 20;

/** A request as bytes, before it is written. */
export interface RequestFrame {
  /** Which of the two grammars of requests it has. */
  readonly form: 'operation' | 'http';
  /** Its length at most. */
  readonly mostBytes: number;
  /** About its length. */
  readonly contentBytes: number;
  /** @throws {@link TableError} `InvalidInput`, if a text is not well formed. */
  write(writer: FrameWriter): void;
}

/**
 * The frame of an operation.
 *
 * @throws {@link TableError} `InvalidInput`, if a text is longer than a request;
 * `RequestBodyTooLarge`, if that text is the body.
 */
export function operationFrame(operation: Operation): RequestFrame {
  return {
    form: 'operation',
    mostBytes: mostBytes(operation),
    contentBytes: bytesOf(operation),
    write: (writer) => writeOperation(writer, operation),
  };
}

/**
 * Hands a request to the core. Returns its id; or the frame of its answer, if it is a read that was
 * answered at once. The frame is valid until the next call of any kind.
 *
 * @param places - what `engine.places()` returned.
 * @throws {@link TableError} `ServerBusy`, if there is no memory for it; what `frame.write()`
 * throws.
 */
export function submitFrame(
  module: CoreModule,
  engine: Engine,
  places: number,
  frame: RequestFrame,
): number | Uint8Array {
  const { mostBytes, contentBytes } = frame;
  const fits = mostBytes <= u32At(module.HEAPU8, places + 12);
  const start = fits ? u32At(module.HEAPU8, places + 8) : engine.reserve(mostBytes, contentBytes);
  if (start === 0) throw serverBusy();
  const writer = new FrameWriter(module.HEAPU8, start);
  frame.write(writer);
  const length = writer.at - start;
  const request =
    frame.form === 'http' ? engine.submitHttp(length, clock.now()) : engine.submit(length);
  if (request !== 0) return request;
  const answer = u32At(module.HEAPU8, places);
  const answerBytes = u32At(module.HEAPU8, places + 4);
  if (answerBytes === 0) throw serverBusy();
  return module.HEAPU8.subarray(answer, answer + answerBytes);
}

/**
 * Gives the core the snapshot of a read.
 *
 * @throws {@link TableError} `ServerBusy`, if there is no memory for it.
 */
export function supplySnapshot(
  module: CoreModule,
  engine: Engine,
  read: number,
  snapshot: Snapshot,
): boolean {
  const bytes = snapshotBytes(snapshot);
  const start = engine.reserveSnapshot(bytes);
  if (start === 0) throw serverBusy();
  writeSnapshot(new FrameWriter(module.HEAPU8, start), snapshot);
  return engine.supply(read, bytes);
}

/** Takes the bytes of a body, which are no longer there afterwards. */
export type ReadBody = (bytes: Uint8Array) => void;

/**
 * Reads the frame of an answer, and keeps no part of it. `readBody` takes the body, if it is given.
 */
export function readAnswer(frame: Uint8Array, readBody?: ReadBody): Answer {
  const answer: Answer = { status: frame[0]! | (frame[1]! << 8), parts: [] };
  for (let at = 2; at < frame.length;) {
    const tag = frame[at]!;
    const start = at + FIELD_PREFIX_BYTES;
    at = start + u32At(frame, at + 1);
    const field = frame.subarray(start, at);
    const name = ANSWER_NAMES[tag];
    if (tag === BODY_TAG && readBody) readBody(field);
    else if (!name) answer.parts.push(readAnswer(field));
    else if (name === 'ranges') answer.ranges = field.slice();
    else answer[name] = isJson(tag) || isLong(field) ? textOfUtf8(field) : asciiText(field);
  }
  return answer;
}

// A token has the values of the entity by which an order goes on. A call takes fewer arguments.
const isLong = ({ length }: Uint8Array) => length > 9999;

const isJson = (tag: number) => tag === BODY_TAG || tag === WARNINGS_TAG;

function u32At(bytes: Uint8Array, at: number): number {
  const low = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
  return (low | (bytes[at + 3]! << 24)) >>> 0;
}

// For etags and tokens of a few bytes, a call of the decoder takes longer.
const asciiText = (bytes: Uint8Array) => String.fromCharCode.apply(null, bytes as never);

// The memory of an operation beside its texts.
const OPERATION_OVERHEAD = 512;

/** About how many bytes an operation takes in the core until it is answered. */
export function bytesOf({ partitionKey, rowKey, body, filter, parts }: Operation): number {
  let bytes = OPERATION_OVERHEAD;
  bytes += lengthOf(partitionKey) + lengthOf(rowKey) + lengthOf(body) + lengthOf(filter);
  if (parts) for (const part of parts) bytes += bytesOf(part);
  return bytes;
}

const lengthOf = (content: FieldContent | undefined) => content?.length ?? 0;

function mostBytes(operation: Operation): number {
  let bytes = HEADER_BYTES + (operation.importPart ? FIELD_PREFIX_BYTES + IMPORT_PART_BYTES : 0);
  // One by one, because a loop over all names takes longer than everything else.
  for (const name in operation) {
    const content = operation[name as keyof Operation];
    if (content === undefined || !OPERATION_TAGS[name as keyof Operation]) continue;
    // Callers of JavaScript may pass any value.
    if (!isBytes(content) && typeof content !== 'string') throw invalidInput();
    const most = operation.sync ? MAX_SYNC_BYTES : MAX_BODY_BYTES;
    if (content.length > most) throw name === 'body' ? bodyTooLarge() : invalidInput();
    bytes += mostFieldBytes(content);
  }
  for (const part of operation.parts ?? []) bytes += FIELD_PREFIX_BYTES + mostBytes(part);
  return bytes;
}

function writeOperation(writer: FrameWriter, operation: Operation): void {
  const { kind, asValues, asLines, fresh, keepsDoubles, dialect, anyWord, atOnce } = operation;
  const format = asValues ? VALUES : asLines ? LINES : 0;
  writer.u8(OPERATION_KINDS[kind]).u8(TYPED_METADATA);
  // Inserts answer without the entity, because the caller has it already.
  let flags = FLAGS.noEcho | format;
  if (fresh) flags |= FLAGS.fresh;
  if (keepsDoubles) flags |= FLAGS.keepsDoubles;
  if (dialect === 'extended') flags |= FLAGS.extendedFilter;
  if (anyWord) flags |= FLAGS.anyWord;
  if (atOnce) flags |= FLAGS.atOnce;
  writer.u8(flags);
  if (operation.importPart) writeImportPart(writer, operation.importPart);
  for (const name in operation) {
    const tag = OPERATION_TAGS[name as keyof Operation];
    if (tag && name !== 'body') writer.field(tag, operation[name as keyof Operation] as string);
  }
  // Last, because the core parses it in place.
  writer.field(OPERATION_TAGS.body!, operation.body);
  for (const part of operation.parts ?? []) {
    const start = writer.begin(PART_TAG);
    writeOperation(writer, part);
    writer.end(start);
  }
}

function writeImportPart(writer: FrameWriter, part: ImportPart): void {
  const flags = Number(!!part.begins) | (part.ends ? 2 : 0) | (part.abandons ? 4 : 0);
  writer.u8(IMPORT_PART_TAG).u32(IMPORT_PART_BYTES).u32(part.import);
  writer.u8(part.restores ? RESTORE : IMPORT_MODES[part.mode]).u8(flags);
}
