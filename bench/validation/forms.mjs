// forms.mjs - a form of 20 fields: what each library does with a key stroke. The text of the
// control that has changed becomes a value, and the whole row is checked.

import { Ajv } from 'ajv';
import * as v from 'valibot';
import { z } from 'zod';

import { loadValidator } from '../../dist/index.js';
import { defineTable, t } from '../../dist/schema.js';

const TEXTS = Array.from({ length: 8 }, (_, i) => `text${i}`);
const WHOLES = Array.from({ length: 4 }, (_, i) => `whole${i}`);
const NUMBERS = ['number0', 'number1'];
const BOXES = ['box0', 'box1'];
const KEYS = ['partitionKey', 'rowKey'];
const CHOICES = ['small', 'medium', 'large'];

const [MIN_TEXT, MAX_TEXT] = [2, 80];
const MAX_KEY = 100;
const [MIN_WHOLE, MAX_WHOLE] = [0, 1000];
const PATTERN = /^[a-z]+$/;

const each = (names, value) => Object.fromEntries(names.map((name) => [name, value]));

/** What the other 19 controls hold. */
const REST = {
  ...each(KEYS, 'a key'),
  ...each(TEXTS, 'some text'),
  ...each(WHOLES, 12),
  ...each(NUMBERS, 1.5),
  ...each(BOXES, true),
  choice: 'small',
  code: 'abc',
};

/** Texts of the control: while they are typed, some are too short. */
const TYPED = ['', 'A', 'An', 'Ann', 'Anna', 'Anna ', 'Anna B', 'Anna Be', 'Anna Bee'];
const WRONG = TYPED.filter((text) => text.length < MIN_TEXT).length;

async function ourForm() {
  await loadValidator();
  const table = defineTable('Forms', {
    ...each(KEYS, t.string({ maxLength: MAX_KEY })),
    ...each(TEXTS, t.string({ minLength: MIN_TEXT, maxLength: MAX_TEXT })),
    ...each(WHOLES, t.int32({ minimum: MIN_WHOLE, maximum: MAX_WHOLE })),
    ...each(NUMBERS, t.double({ exclusiveMinimum: 0 })),
    ...each(BOXES, t.boolean()),
    choice: t.string({ enum: CHOICES }),
    code: t.string({ pattern: PATTERN }),
  });
  return (row) => table.validate(row).issues?.length ?? 0;
}

function ajvForm() {
  const validate = new Ajv({ allErrors: true }).compile({
    type: 'object',
    required: Object.keys(REST),
    properties: {
      ...each(KEYS, { type: 'string', maxLength: MAX_KEY }),
      ...each(TEXTS, { type: 'string', minLength: MIN_TEXT, maxLength: MAX_TEXT }),
      ...each(WHOLES, { type: 'integer', minimum: MIN_WHOLE, maximum: MAX_WHOLE }),
      ...each(NUMBERS, { type: 'number', exclusiveMinimum: 0 }),
      ...each(BOXES, { type: 'boolean' }),
      choice: { type: 'string', enum: CHOICES },
      code: { type: 'string', pattern: PATTERN.source },
    },
  });
  return (row) => (validate(row) ? 0 : validate.errors.length);
}

function zodForm() {
  const schema = z.object({
    ...each(KEYS, z.string().max(MAX_KEY)),
    ...each(TEXTS, z.string().min(MIN_TEXT).max(MAX_TEXT)),
    ...each(WHOLES, z.int().min(MIN_WHOLE).max(MAX_WHOLE)),
    ...each(NUMBERS, z.number().gt(0)),
    ...each(BOXES, z.boolean()),
    choice: z.enum(CHOICES),
    code: z.string().regex(PATTERN),
  });
  return (row) => schema.safeParse(row).error?.issues.length ?? 0;
}

function valibotForm() {
  const whole = v.pipe(v.number(), v.integer(), v.minValue(MIN_WHOLE), v.maxValue(MAX_WHOLE));
  const schema = v.object({
    ...each(KEYS, v.pipe(v.string(), v.maxLength(MAX_KEY))),
    ...each(TEXTS, v.pipe(v.string(), v.minLength(MIN_TEXT), v.maxLength(MAX_TEXT))),
    ...each(WHOLES, whole),
    ...each(NUMBERS, v.pipe(v.number(), v.gtValue(0))),
    ...each(BOXES, v.boolean()),
    choice: v.picklist(CHOICES),
    code: v.pipe(v.string(), v.regex(PATTERN)),
  });
  return (row) => v.safeParse(schema, row).issues?.length ?? 0;
}

/** For each library, a function that counts what is wrong with a row. */
export async function makeForms() {
  return { entitable: await ourForm(), ajv: ajvForm(), zod: zodForm(), valibot: valibotForm() };
}

/** The time of a key stroke, in microseconds. */
export function timePerKeyStroke(countErrors, count) {
  const type = (strokes) => {
    let wrong = 0;
    for (let i = 0; i < strokes; i++) {
      if (countErrors({ ...REST, text0: TYPED[i % TYPED.length] }) > 0) wrong++;
    }
    return wrong;
  };
  const rounds = Math.ceil(count / TYPED.length);
  type(count / 10);
  const start = performance.now();
  const wrong = type(rounds * TYPED.length);
  const ms = performance.now() - start;
  if (wrong !== rounds * WRONG) throw new Error(`${wrong} of the texts are wrong`);
  return (ms * 1000) / (rounds * TYPED.length);
}
