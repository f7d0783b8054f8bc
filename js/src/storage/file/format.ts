/**
 * The bytes of a store's file. The grammar is in `docs/internals/file-format.md`.
 *
 * @module
 */

import { isBytes } from '../../base/kinds.js';
import type { StorageKey } from '../page-storage.js';
import { crc32c } from './crc32c.js';

/** The place of a value in the file, in bytes, and its CRC-32C. */
export interface Place {
  readonly offset: number;
  readonly length: number;
  readonly crc: number;

  /** True while a store is moved: the value is still in the old file. */
  readonly isElsewhere?: boolean;
}

/** A value for a key, or its place; undefined deletes the key. */
export type Change = readonly [StorageKey, Uint8Array | Place | undefined];

/** The same, of a batch in the file. */
export type PlacedChange = readonly [StorageKey, Place | undefined];

/** The head of a batch. Numbers are bytes. */
export interface Head {
  /** Its place in the file. */
  readonly offset: number;

  /** All bytes before this place were known to be on the disk when it was written. */
  readonly synced: number;
  readonly tableLength: number;
  readonly valuesLength: number;
  readonly tableCrc: number;
}

/** A mark in the header about the file. */
export interface Mark {
  /** Each mark has the next number; the highest number is valid. */
  readonly number: number;

  /** The end of a batch. All bytes before it were on the disk when the mark was written. */
  readonly length: number;

  /**
   * The same for bytes that the system had then. It has them until it stops. If `boot` is 0, it
   * proves nothing.
   */
  readonly written: number;

  /** The run of the operating system then; 0, if it is not known. */
  readonly boot: number;

  /** True from a clean close until the next write. Then the file has exactly this length. */
  readonly isClosed: boolean;
}

/** The header of a file. */
export interface FileHeader {
  readonly version: number;

  /** Part of the checksum of every batch, so that a batch of another file is not valid here. */
  readonly seed: number;

  /** The place of the first batch. */
  readonly length: number;

  /** The valid mark; undefined in a file of version 1, which has no marks. */
  readonly mark: Mark | undefined;
}

export const FILE_VERSION = 2;

/** The length of the longest header; that of version 1 is shorter. */
export const FILE_HEADER_LENGTH = 1536;
export const HEAD_LENGTH = 40;

/** The bytes of ASCII letters. A TextEncoder may not be there while the module is imported. */
export const ascii = (letters: string): Uint8Array =>
  Uint8Array.from(letters, (letter) => letter.charCodeAt(0));

export const BATCH_MAGIC: Uint8Array = ascii('ETFB');

const FILE_MAGIC = ascii('ETFS');
const ID_LENGTH = 16;
const FIXED_HEADER_LENGTH = 25;
const MARK_MAGIC = ascii('ETFM');
const MARK_LENGTH = 37;

// Each mark has a sector of its own, so a torn write of one harms nothing else.
const MARK_OFFSETS = [512, 1024] as const;
const PUT = 1;
const DELETE = 2;
const REFERENCE = 3;

/** The header of a new file. `id` is 16 random bytes. */
export function encodeFileHeader(id: Uint8Array): Uint8Array {
  const header = new Uint8Array(FILE_HEADER_LENGTH);
  header.set(FILE_MAGIC);
  header[4] = FILE_VERSION;
  header.set(id, 5);
  viewOf(header).setUint32(21, crc32c(header.subarray(0, 21)), true);
  for (const number of MARK_OFFSETS.keys()) {
    const [length, written] = [FILE_HEADER_LENGTH, FILE_HEADER_LENGTH];
    const mark = { number, length, written, boot: 0, isClosed: false };
    const { bytes, offset } = encodeMark(mark, crc32c(id));
    header.set(bytes, offset);
  }
  return header;
}

/** Reads a header, or returns its fault and the place of the fault. */
export function decodeFileHeader(
  header: Uint8Array,
): FileHeader | { problem: string; offset: number } {
  if (header.length < FIXED_HEADER_LENGTH || !startsWith(header, FILE_MAGIC)) {
    return { problem: 'does not begin as a store', offset: 0 };
  }
  const version = header[4]!;
  if (version > FILE_VERSION) return { problem: 'was written by a newer version', offset: 0 };
  if (viewOf(header).getUint32(21, true) !== crc32c(header.subarray(0, 21))) {
    return { problem: 'does not match its checksum', offset: 0 };
  }
  const seed = crc32c(header.subarray(5, 5 + ID_LENGTH));
  if (version === 1) return { version, seed, length: FIXED_HEADER_LENGTH, mark: undefined };
  const marks = MARK_OFFSETS.map((offset) => decodeMark(header.subarray(offset), seed));
  const [mark] = marks
    .filter((one) => one !== undefined)
    .sort((one, other) => other.number - one.number);
  if (!mark) return { problem: 'has no mark with its length', offset: MARK_OFFSETS[0] };
  return { version, seed, length: FILE_HEADER_LENGTH, mark };
}

/** The part of a header that all checksums of the file depend on; undefined, if it is not ours. */
export function decodeFileSeed(header: Uint8Array): number | undefined {
  const isWhole =
    header.length >= FIXED_HEADER_LENGTH &&
    startsWith(header, FILE_MAGIC) &&
    header[4]! <= FILE_VERSION &&
    viewOf(header).getUint32(21, true) === crc32c(header.subarray(0, 21));
  return isWhole ? crc32c(header.subarray(5, 5 + ID_LENGTH)) : undefined;
}

/** The bytes of a mark, and their place: never over the mark before it. */
export function encodeMark(
  { number, length, written, boot, isClosed }: Mark,
  seed: number,
): { bytes: Uint8Array; offset: number } {
  const bytes = new Uint8Array(MARK_LENGTH);
  const view = viewOf(bytes);
  bytes.set(MARK_MAGIC);
  bytes[4] = isClosed ? 1 : 0;
  view.setBigUint64(5, BigInt(number), true);
  view.setBigUint64(13, BigInt(length), true);
  view.setBigUint64(21, BigInt(written), true);
  view.setUint32(29, boot, true);
  view.setUint32(33, crc32c(bytes.subarray(0, 33), seed), true);
  return { bytes, offset: MARK_OFFSETS[number % MARK_OFFSETS.length]! };
}

function decodeMark(bytes: Uint8Array, seed: number): Mark | undefined {
  if (bytes.length < MARK_LENGTH || !startsWith(bytes, MARK_MAGIC)) return undefined;
  const view = viewOf(bytes);
  if (view.getUint32(33, true) !== crc32c(bytes.subarray(0, 33), seed)) return undefined;
  return {
    isClosed: bytes[4] === 1,
    number: Number(view.getBigUint64(5, true)),
    length: Number(view.getBigUint64(13, true)),
    written: Number(view.getBigUint64(21, true)),
    boot: view.getUint32(29, true),
  };
}

/** The bytes of a batch at `offset`, and the places of its values. */
export function encodeBatch(
  changes: readonly Change[],
  { offset, synced, seed }: { offset: number; synced: number; seed: number },
): { bytes: Uint8Array; places: (Place | undefined)[] } {
  const tableLength = changes.reduce((sum, change) => sum + rowLength(change), 0);
  const valuesLength = changes.reduce((sum, [, value]) => sum + bytesOf(value).length, 0);
  const bytes = new Uint8Array(HEAD_LENGTH + tableLength + valuesLength);
  const table = bytes.subarray(HEAD_LENGTH, HEAD_LENGTH + tableLength);

  let valueAt = HEAD_LENGTH + tableLength;
  const places = changes.map(([, value]) => {
    if (!isBytes(value)) return value;
    bytes.set(value, valueAt);
    const place = { offset: offset + valueAt, length: value.length, crc: crc32c(value) };
    valueAt += value.length;
    return place;
  });
  writeTable(table, changes, places);
  const tableCrc = crc32c(table, seed);
  writeHead(bytes, { offset, synced, tableLength, valuesLength, tableCrc }, seed);
  return { bytes, places };
}

// The values that are in the batch itself.
function bytesOf(value: Change[1]): Uint8Array {
  return isBytes(value) ? value : new Uint8Array();
}

function rowLength([key, value]: Change): number {
  if (!value) return 2 + key.length;
  return key.length + (isBytes(value) ? 10 : 18);
}

function writeTable(
  table: Uint8Array,
  changes: readonly Change[],
  places: readonly (Place | undefined)[],
): void {
  const view = viewOf(table);
  let at = 0;
  changes.forEach(([key], index) => {
    const place = places[index];
    table[at++] = !place ? DELETE : place.isElsewhere ? REFERENCE : PUT;
    table[at++] = key.length;
    // Keys are ASCII.
    for (let i = 0; i < key.length; i++) table[at++] = key.charCodeAt(i);
    if (!place) return;
    view.setUint32(at, place.length, true);
    view.setUint32(at + 4, place.crc, true);
    at += 8;
    if (!place.isElsewhere) return;
    view.setBigUint64(at, BigInt(place.offset), true);
    at += 8;
  });
}

function writeHead(bytes: Uint8Array, head: Head, seed: number): void {
  const view = viewOf(bytes);
  bytes.set(BATCH_MAGIC);
  view.setBigUint64(4, BigInt(head.offset), true);
  view.setBigUint64(12, BigInt(head.synced), true);
  view.setUint32(20, head.tableLength, true);
  view.setBigUint64(24, BigInt(head.valuesLength), true);
  view.setUint32(32, head.tableCrc, true);
  view.setUint32(36, crc32c(bytes.subarray(0, 36), seed), true);
}

/** The head of a batch in these bytes; undefined, if they are no head. */
export function decodeHead(bytes: Uint8Array, seed: number): Head | undefined {
  if (bytes.length < HEAD_LENGTH || !startsWith(bytes, BATCH_MAGIC)) return undefined;
  const view = viewOf(bytes);
  if (view.getUint32(36, true) !== crc32c(bytes.subarray(0, 36), seed)) return undefined;
  return {
    offset: Number(view.getBigUint64(4, true)),
    synced: Number(view.getBigUint64(12, true)),
    tableLength: view.getUint32(20, true),
    valuesLength: Number(view.getBigUint64(24, true)),
    tableCrc: view.getUint32(32, true),
  };
}

/** The end of the batch with this head. */
export function endOfBatch({ offset, tableLength, valuesLength }: Head): number {
  return offset + HEAD_LENGTH + tableLength + valuesLength;
}

/** The changes of a batch; undefined, if its table does not match the head. */
export function decodeTable(
  table: Uint8Array,
  head: Head,
  seed: number,
): PlacedChange[] | undefined {
  if (crc32c(table, seed) !== head.tableCrc) return undefined;
  const view = viewOf(table);
  const changes: PlacedChange[] = [];
  let offset = head.offset + HEAD_LENGTH + head.tableLength;
  for (let at = 0; at < table.length;) {
    const kind = table[at];
    const end = at + 2 + table[at + 1]!;
    const key = String.fromCharCode(...table.subarray(at + 2, end)) as StorageKey;
    at = end;
    if (kind === DELETE) {
      changes.push([key, undefined]);
      continue;
    }
    const [length, crc] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    at += 8;
    if (kind === REFERENCE) {
      const elsewhere = Number(view.getBigUint64(at, true));
      changes.push([key, { offset: elsewhere, length, crc, isElsewhere: true }]);
      at += 8;
      continue;
    }
    changes.push([key, { offset, length, crc }]);
    offset += length;
  }
  return changes;
}

/** Where the value ends. */
export function endOf({ offset, length }: Place): number {
  return offset + length;
}

/** How many bytes of a file a value takes under `key`, without its share of the head. */
export function bytesKept(key: StorageKey, { length }: Place): number {
  return 10 + key.length + length;
}

function startsWith(bytes: Uint8Array, magic: Uint8Array): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
