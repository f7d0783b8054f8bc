// support.ts - what the tests of forms share.

import { defineTable, t } from '../../../js/src/schema.js';

/** A table with every type. */
export const guests = defineTable('Guests', {
  partitionKey: t.string(),
  rowKey: t.string(),
  name: t.string({ minLength: 2, maxLength: 20 }),
  kind: t.string({ enum: ['dog', 'cat'] }).optional(),
  code: t.string({ pattern: /^[a-z]{3}$/ }).optional(),
  age: t.int32({ minimum: 0, maximum: 150 }).optional(),
  chip: t.int64().optional(),
  weight: t.double({ exclusiveMinimum: 0 }).optional(),
  agreed: t.boolean().default(false),
  born: t.dateTime({ minimum: new Date('2000-01-01T00:00:00Z') }).optional(),
  seen: t.dateTime({ precise: true }).optional(),
  tag: t.guid().optional(),
  photo: t.binary({ maxBytes: 8 }).optional(),
});

export const keys = { partitionKey: 'p', rowKey: 'r' };

/** What a form sends. */
export function dataOf(entries: Readonly<Record<string, string | Blob>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(entries)) data.append(name, value);
  return data;
}

/** A promise, and the function that resolves it. */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { promise, resolve };
}
