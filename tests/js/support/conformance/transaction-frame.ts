// transaction-frame.ts - a transaction as the API never asks for it: inserts may answer
// with the entity.  The grammar is in docs/internals/frames.md.

import { OPERATION_KINDS, type RequestFrame } from '../../../../js/src/core/frames.js';
import type { Part } from './files.js';

const MINIMAL_METADATA = 1;
const NO_ECHO = 1;
const PART_TAG = 13;
const TAGS = { table: 1, partitionKey: 2, rowKey: 3, ifMatch: 4, body: 12 } as const;

/** The frame of the transaction. */
export function transactionFrame(parts: Part[]): RequestFrame {
  const bytes = [
    ...headOf('transaction', false),
    ...parts.flatMap((part) => field(PART_TAG, partFrame(part))),
  ];
  return {
    form: 'operation',
    mostBytes: bytes.length,
    contentBytes: bytes.length,
    write: (writer) => void writer.raw(Uint8Array.from(bytes)),
  };
}

function partFrame(part: Part): number[] {
  const names = Object.keys(TAGS) as (keyof typeof TAGS)[];
  const fields = names.flatMap((name) => {
    const text = part[name];
    return text === undefined ? [] : field(TAGS[name], [...new TextEncoder().encode(text)]);
  });
  return [...headOf(part.kind, part.echo ?? false), ...fields];
}

function headOf(kind: keyof typeof OPERATION_KINDS, echo: boolean): number[] {
  return [OPERATION_KINDS[kind], MINIMAL_METADATA, echo ? 0 : NO_ECHO];
}

function field(tag: number, bytes: number[]): number[] {
  const length = [0, 8, 16, 24].map((shift) => (bytes.length >>> shift) & 0xff);
  return [tag, ...length, ...bytes];
}
