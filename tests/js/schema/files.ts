// A table whose values are stored in parts.

import { defineTable, t, type InferInput } from '../../../js/src/schema.js';

export const KEYS = { partitionKey: t.string(), rowKey: t.string() };
export const keys = { partitionKey: 'p', rowKey: 'r' };

export const files = defineTable('Files', {
  ...KEYS,
  tags: t.array(t.string({ maxLength: 5 })).default([]),
  place: t.json<{ lat: number; lon?: number }>().optional(),
  notes: t.text().optional(),
  photo: t.blob({ maxBytes: 200_000 }).optional(),
  raw: t.bytes().optional(),
});
export type File = InferInput<typeof files>;

// Limits of the service: data model, 1.4.
export const UNITS = 32_768;
export const BYTES = 65_536;

export const bytes = (length: number) => Uint8Array.from({ length }, (_, at) => at % 251);
