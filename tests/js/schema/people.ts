// A table whose rows have had three versions.

import { defineTable, t } from '../../../js/src/schema.js';

export const KEYS = { partitionKey: t.string(), rowKey: t.string() };
export const keys = { partitionKey: 'p', rowKey: 'r' };

export const people = defineTable(
  'People',
  { ...KEYS, first: t.string(), last: t.string(), age: t.double() },
  {
    version: 3,
    upgrade: {
      1: ({ name, ...row }) => ({ ...row, fullName: name }),
      2: ({ fullName, ...row }) => {
        const [first, last] = String(fullName).split(' ');
        return { ...row, first, last };
      },
    },
  },
);
