/**
 * The bytes of a store's file. The grammar is in `ARCHITECTURE.md`, "A store in a file".
 *
 * @module
 */

import type { StorageKey } from '../page-storage.js';
import { crc32c } from './crc32c.js';

/** Where a value lies in the file, in bytes, and its CRC-32C. */
export interface Place {
  readonly offset: number;
  readonly length: number;
  readonly crc: number;
}

/** A value to be kept under a key; undefined: nothing is to be left there. */
export type Change = readonly [StorageKey, Uint8Array | undefined];

/** The same of a batch that was written. */
export type PlacedChange = readonly [StorageKey, Place | undefined];

/** How a batch begins. Numbers are bytes. */
export interface Head {
  /** Where it stands in the file. */
  readonly offset: number;

  /** What was known to be on the disk when it was written: all before this place. */
  readonly synced: number;
  readonly tableLength: number;
  readonly valuesLength: number;
  readonly tableCrc: number;
}

export const FILE_VERSION = 1;
export const FILE_HEADER_LENGTH = 25;
export const HEAD_LENGTH = 40;
export const BATCH_MAGIC: Uint8Array = new TextEncoder().encode('ETFB');

const FILE_MAGIC = new TextEncoder().encode('ETFS');
const ID_LENGTH = 16;
const PUT = 1;
const DELETE = 2;

/** What a file begins with. `id` is 16 random bytes. */
export function encodeFileHeader(id: Uint8Array): Uint8Array {
  const header = new Uint8Array(FILE_HEADER_LENGTH);
  header.set(FILE_MAGIC);
  header[4] = FILE_VERSION;
  header.set(id, 5);
  viewOf(header).setUint32(21, crc32c(header.subarray(0, 21)), true);
  return header;
}

/**
 * Reads what a file begins with.
 *
 * @returns the seed of all checksums of batches, so that one of another file is none here;
 * or, in words, what is wrong with it.
 */
export function decodeFileHeader(header: Uint8Array): { seed: number } | { problem: string } {
  if (header.length < FILE_HEADER_LENGTH || !startsWith(header, FILE_MAGIC)) {
    return { problem: 'does not begin as a store' };
  }
  if (header[4]! > FILE_VERSION) return { problem: 'was written by a newer version' };
  if (viewOf(header).getUint32(21, true) !== crc32c(header.subarray(0, 21))) {
    return { problem: 'does not match its checksum' };
  }
  return { seed: crc32c(header.subarray(5, 5 + ID_LENGTH)) };
}

/** The bytes of a batch, and where its values are when it stands at `offset`. */
export function encodeBatch(
  changes: readonly Change[],
  { offset, synced, seed }: { offset: number; synced: number; seed: number },
): { bytes: Uint8Array; places: (Place | undefined)[] } {
  const tableLength = changes.reduce((sum, change) => sum + rowLength(change), 0);
  const valuesLength = changes.reduce((sum, [, value]) => sum + (value?.length ?? 0), 0);
  const bytes = new Uint8Array(HEAD_LENGTH + tableLength + valuesLength);
  const table = bytes.subarray(HEAD_LENGTH, HEAD_LENGTH + tableLength);

  let valueAt = HEAD_LENGTH + tableLength;
  const places = changes.map(([, value]) => {
    if (!value) return undefined;
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

function rowLength([key, value]: Change): number {
  return 2 + key.length + (value ? 8 : 0);
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
    table[at++] = place ? PUT : DELETE;
    table[at++] = key.length;
    // Keys are ASCII.
    for (let i = 0; i < key.length; i++) table[at++] = key.charCodeAt(i);
    if (!place) return;
    view.setUint32(at, place.length, true);
    view.setUint32(at + 4, place.crc, true);
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

/** The head of the batch at `offset`; undefined if these bytes are none. */
export function decodeHead(bytes: Uint8Array, offset: number, seed: number): Head | undefined {
  if (bytes.length < HEAD_LENGTH || !startsWith(bytes, BATCH_MAGIC)) return undefined;
  const view = viewOf(bytes);
  if (view.getUint32(36, true) !== crc32c(bytes.subarray(0, 36), seed)) return undefined;
  const head = {
    offset: Number(view.getBigUint64(4, true)),
    synced: Number(view.getBigUint64(12, true)),
    tableLength: view.getUint32(20, true),
    valuesLength: Number(view.getBigUint64(24, true)),
    tableCrc: view.getUint32(32, true),
  };
  return head.offset === offset ? head : undefined;
}

/** What a batch changes; undefined if its table is not what the head says. */
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
    const isPut = table[at] === PUT;
    const end = at + 2 + table[at + 1]!;
    const key = String.fromCharCode(...table.subarray(at + 2, end)) as StorageKey;
    at = end;
    if (!isPut) {
      changes.push([key, undefined]);
      continue;
    }
    const length = view.getUint32(at, true);
    changes.push([key, { offset, length, crc: view.getUint32(at + 4, true) }]);
    offset += length;
    at += 8;
  }
  return changes;
}

/** How many bytes of a file a value takes that is kept under `key`, without its share of the head. */
export function bytesKept(key: StorageKey, { length }: Place): number {
  return 10 + key.length + length;
}

function startsWith(bytes: Uint8Array, magic: Uint8Array): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
