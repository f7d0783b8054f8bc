/**
 * Writes frames into the memory of the module.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';

/** Each field begins with a tag and a length. */
export const FIELD_PREFIX_BYTES = 5;

// The most bytes of a UTF-16 unit in UTF-8.
const MAX_BYTES_PER_UNIT = 3;
// For a text up to this length, this code is faster than a call of the encoder.
const SHORT_TEXT = 48;

/** A text, or bytes as they are. */
export type FieldContent = string | Uint8Array;

/** The most bytes that a field of this content takes. */
export const mostFieldBytes = (content: FieldContent): number =>
  FIELD_PREFIX_BYTES + (typeof content === 'string' ? MAX_BYTES_PER_UNIT : 1) * content.length;

let encoder: TextEncoder | undefined;

/** It must not outlive the call that made it: it holds a view of the heap. */
export class FrameWriter {
  readonly #heap: Uint8Array;
  at: number;

  constructor(heap: Uint8Array, at: number) {
    this.#heap = heap;
    this.at = at;
  }

  u8(value: number): this {
    this.#heap[this.at++] = value;
    return this;
  }

  u32(value: number): this {
    this.#putU32(value, this.at);
    this.at += 4;
    return this;
  }

  u64(value: number): this {
    return this.u32(value % 2 ** 32).u32(value / 2 ** 32);
  }

  /** Bytes as they are. */
  raw(value: Uint8Array): this {
    this.#heap.set(value, this.at);
    this.at += value.length;
    return this;
  }

  /** Bytes with their length before them. */
  bytes(value: Uint8Array): this {
    return this.u32(value.length).raw(value);
  }

  /**
   * Writes nothing, if there is no content.
   *
   * @throws {@link TableError} `InvalidInput`, if a text is not well formed.
   */
  field(tag: number, content: FieldContent | undefined): this {
    if (content === undefined) return this;
    if (typeof content !== 'string') return this.u8(tag).bytes(content);
    const start = this.begin(tag);
    if (content.length > SHORT_TEXT || !this.#ascii(content)) this.#text(content);
    return this.end(start);
  }

  /** Begins a field whose length is not known yet; `end()` writes the length. */
  begin(tag: number): number {
    this.u8(tag);
    this.at += 4;
    return this.at;
  }

  /** @param start - what `begin()` returned. */
  end(start: number): this {
    this.#putU32(this.at - start, start - 4);
    return this;
  }

  #putU32(value: number, at: number): void {
    const heap = this.#heap;
    heap[at] = value;
    heap[at + 1] = value >>> 8;
    heap[at + 2] = value >>> 16;
    heap[at + 3] = value >>> 24;
  }

  // False, and nothing is written, if the text has a character beyond ASCII.
  #ascii(text: string): boolean {
    const heap = this.#heap;
    const start = this.at;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) return false;
      heap[start + i] = unit;
    }
    this.at = start + text.length;
    return true;
  }

  // TextEncoder would silently turn a lone surrogate into U+FFFD.
  #text(text: string): void {
    encoder ??= new TextEncoder();
    const { written } = encoder.encodeInto(text, this.#heap.subarray(this.at));
    const isAscii = written === text.length;
    if (!isAscii && /\p{Surrogate}/u.test(text)) throw invalidInput();
    this.at += written;
  }
}
