// The table, declared once.

import { defineTable, t, type StandardSchema } from 'entitable/schema';

import { ownTexts } from './own-texts.js';

// A rule between two properties. A schema of zod, valibot or arktype fits here, too.
const visitAfterBirth: StandardSchema = {
  '~standard': {
    version: 1,
    vendor: 'pets',
    validate(pet) {
      const { born, visit } = pet as { born?: unknown; visit?: unknown };
      const isWrong = born instanceof Date && visit instanceof Date && visit < born;
      return isWrong
        ? { issues: [{ path: ['visit'], message: ownTexts().visitBeforeBirth }] }
        : { value: pet };
    },
  },
};

export const pets = defineTable(
  'Pets',
  {
    kind: t.string({ enum: ['dog', 'cat', 'rabbit'] }).describe('The kind of pet'),
    name: t.string({ minLength: 3, maxLength: 20, pattern: /^[a-z][a-z-]*$/ }),
    owner: t.string({ maxLength: 60 }).describe('An e-mail address'),
    coat: t.string({ enum: ['short', 'long', 'curly', 'none'] }),
    born: t.dateTime({ minimum: new Date('1990-01-01T00:00:00Z') }),
    visit: t.dateTime().optional().describe('The next visit to the vet'),
    weight: t.double({ exclusiveMinimum: 0, maximum: 120, multipleOf: 0.1 }).describe('kg'),
    chip: t.int64({ minimum: 10n ** 14n, maximum: 10n ** 15n - 1n }).optional(),
    energy: t.int32({ minimum: 1, maximum: 10 }),
    vaccinated: t.boolean(),
    photo: t.binary({ maxBytes: 60_000 }).optional(),
    notes: t.string({ maxLength: 140 }).optional(),
    tag: t.guid(),
  },
  // Enforced, so the other page cannot break the rules, either.
  { key: ['kind', 'name'], refine: visitAfterBirth, unknownProperties: 'reject', enforce: true },
);
