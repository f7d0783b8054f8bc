/**
 * Snapshots as bytes; the grammar is in `docs/internals/frames.md`.
 *
 * @module
 */

import type { Snapshot } from '../storage/page-storage.js';
import type { FrameWriter } from './frame-writer.js';

/** How many bytes the frame of a snapshot takes. */
export function snapshotBytes({ values, records }: Snapshot): number {
  let bytes = 4;
  for (const value of values) bytes += 1 + (value ? 4 + value.length : 0);
  for (const [, value] of records) bytes += 12 + value.length;
  return bytes;
}

/** Writes the frame of a snapshot. A missing value may also be null. */
export function writeSnapshot(writer: FrameWriter, { values, records }: Snapshot): void {
  writer.u32(values.length);
  for (const value of values) {
    writer.u8(value ? 1 : 0);
    if (value) writer.bytes(value);
  }
  for (const [number, value] of records) writer.u64(number).bytes(value);
}
