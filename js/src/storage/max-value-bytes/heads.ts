/**
 * What is stored under the key of a value: the value itself, or where its parts are.
 *
 * A head begins with its kind. Kind 0: the bytes of the value follow. Kind 1: three float64 follow,
 * big-endian: the length of the value, the length of a part, and the number of the first part. The
 * last part may be shorter. A part is bytes of the value, under a page key with a negative number.
 *
 * @module
 */

import type { StorageKey } from '../page-storage.js';

/** A value in parts. */
export interface Cut {
  /** Of the value, in bytes. */
  readonly length: number;
  /** Of each part but the last, in bytes. */
  readonly partBytes: number;
  /** The number of the first part; the others follow. */
  readonly first: number;
}

const WHOLE = 0;
const CUT = 1;

/** How many bytes a whole value takes beside its own. */
export const TAG_BYTES = 1;

/** The length of the head of a value in parts. */
export const CUT_BYTES = 25;

/** The head of a whole value: a copy. */
export function wholeHead(value: Uint8Array): Uint8Array {
  const head = new Uint8Array(TAG_BYTES + value.length);
  head[0] = WHOLE;
  head.set(value, TAG_BYTES);
  return head;
}

export function cutHead({ length, partBytes, first }: Cut): Uint8Array {
  const head = new Uint8Array(CUT_BYTES);
  const view = new DataView(head.buffer);
  head[0] = CUT;
  [length, partBytes, first].forEach((number, at) => view.setFloat64(1 + 8 * at, number));
  return head;
}

/** Where the parts are; undefined, if there is no value, or a whole one. */
export function cutOf(head: Uint8Array | undefined): Cut | undefined {
  if (head?.[0] !== CUT || head.length !== CUT_BYTES) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const [length, partBytes, first] = [0, 1, 2].map((at) => view.getFloat64(1 + 8 * at));
  return { length: length!, partBytes: partBytes!, first: first! };
}

export const isWhole = (head: Uint8Array): boolean => head[0] === WHOLE;

/** The value in the head of a whole value. It shares the bytes of the head. */
export function wholeOf(head: Uint8Array): Uint8Array {
  return head.subarray(TAG_BYTES);
}

export const countOf = ({ length, partBytes }: Cut): number => Math.ceil(length / partBytes);

export const partKey = (number: number): StorageKey => `pages/${-number}`;

export const isPart = (key: StorageKey): boolean => key.startsWith('pages/-');

/** The keys of `count` parts. */
export function partKeys(first: number, count: number): StorageKey[] {
  return Array.from({ length: count }, (_, at) => partKey(first + at));
}

export const keysOfParts = (cut: Cut): StorageKey[] => partKeys(cut.first, countOf(cut));

/** The parts of a value, each with its key. They share the bytes of the value. */
export function partsOf(value: Uint8Array, cut: Cut): [StorageKey, Uint8Array][] {
  return keysOfParts(cut).map((key, at) => [
    key,
    value.subarray(at * cut.partBytes, (at + 1) * cut.partBytes),
  ]);
}

// The number 1 is that of the journal.
const FIRST_PART = 2;

/**
 * Returns the first of `count` consecutive random numbers. The chance that a part has one of them
 * is about 1 in 2^52. Even then nothing is overwritten: a commit expects no value under them.
 */
export function freeNumbers(count: number): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  const random = (high & 0xf_ffff) * 2 ** 32 + low;
  return Math.min(FIRST_PART + random, 2 ** 52 - count);
}
