/**
 * The file that says which file of a folder has which name. It makes a change of names atomic: the
 * browser's own rename cannot replace a file that is open. The grammar is in
 * `docs/internals/file-format.md`.
 *
 * @module
 */

import { textOfUtf8 } from '../../base/utf8.js';
import { crc32c } from '../file/crc32c.js';
import { ascii } from '../file/format.js';

/** Which file has which name. */
export interface NameTable {
  /** Identifies the store: 16 random bytes. It changes when the store is destroyed. */
  readonly id: Uint8Array;

  /** Each table has the next number; the highest number is valid. */
  readonly number: number;

  /** The number of the next new file. No number is used twice. */
  readonly nextFile: number;

  /** The numbers of the files, by their names. */
  readonly files: ReadonlyMap<string, number>;
}

/** The length of the file: two slots, each for a table. */
export const NAMES_LENGTH = 8192;

const SLOT_LENGTH = NAMES_LENGTH / 2;
const MAGIC = ascii('ETFN');
const VERSION = 1;
const HEAD_LENGTH = 39;

/** The bytes of a table, and their place: never over the table before it. */
export function encodeNames(table: NameTable): { bytes: Uint8Array; offset: number } {
  const bytes = new Uint8Array(SLOT_LENGTH);
  const view = viewOf(bytes);
  bytes.set(MAGIC);
  bytes[4] = VERSION;
  bytes.set(table.id, 5);
  view.setBigUint64(21, BigInt(table.number), true);
  view.setBigUint64(29, BigInt(table.nextFile), true);
  view.setUint16(37, table.files.size, true);
  let at = HEAD_LENGTH;
  for (const [name, file] of table.files) {
    const text = new TextEncoder().encode(name);
    bytes[at] = text.length;
    bytes.set(text, at + 1);
    view.setBigUint64(at + 1 + text.length, BigInt(file), true);
    at += 9 + text.length;
  }
  view.setUint32(at, crc32c(bytes.subarray(0, at)), true);
  return { bytes, offset: (table.number % 2) * SLOT_LENGTH };
}

/** The valid table in the bytes of the file; undefined, if there is none. */
export function decodeNames(bytes: Uint8Array): NameTable | undefined {
  const tables = [0, SLOT_LENGTH].map((start) =>
    decodeSlot(bytes.subarray(start, start + SLOT_LENGTH)),
  );
  const [one, other] = tables;
  return one && other ? (one.number > other.number ? one : other) : (one ?? other);
}

function decodeSlot(bytes: Uint8Array): NameTable | undefined {
  if (bytes.length < SLOT_LENGTH || !MAGIC.every((byte, at) => bytes[at] === byte))
    return undefined;
  if (bytes[4] !== VERSION) return undefined;
  const view = viewOf(bytes);
  const files = new Map<string, number>();
  let at = HEAD_LENGTH;
  for (let left = view.getUint16(37, true); left > 0; left--) {
    const end = at + 1 + (bytes[at] ?? 0);
    // A torn slot may say anything.
    if (end + 12 > bytes.length) return undefined;
    const name = textOfUtf8(bytes.subarray(at + 1, end));
    files.set(name, Number(view.getBigUint64(end, true)));
    at = end + 8;
  }
  if (view.getUint32(at, true) !== crc32c(bytes.subarray(0, at))) return undefined;
  return {
    id: bytes.slice(5, 21),
    number: Number(view.getBigUint64(21, true)),
    nextFile: Number(view.getBigUint64(29, true)),
    files,
  };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
