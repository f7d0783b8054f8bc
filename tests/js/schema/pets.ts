import { defineTable, t } from '../../../js/src/schema.js';

/** A table with all types and most constraints. */
export const pets = defineTable('Pets', {
  partitionKey: t.string({ maxLength: 40 }),
  rowKey: t.string(),
  name: t.string({ minLength: 1, maxLength: 80 }),
  kind: t.string({ enum: ['dog', 'cat'] }),
  age: t.int32({ minimum: 0, maximum: 40 }).optional(),
  chip: t.int64().optional(),
  weight: t.double({ exclusiveMinimum: 0 }),
  vaccinated: t.boolean().default(false),
  born: t.dateTime(),
  photo: t.binary({ maxBytes: 65536 }).optional(),
  tag: t.guid().optional(),
});
