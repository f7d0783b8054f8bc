// peers.mjs - the entities of the data set, as schemas for libraries that validate. They have the
// service's rules for these ten properties. A schema knows no others: it neither forbids illegal
// names nor adds up sizes, as Entitable does.

import { readFileSync } from 'node:fs';

import { Ajv } from 'ajv';
import * as v from 'valibot';
import { z } from 'zod';

import { loadValidator } from '../../dist/index.js';

const KEY = /^[^/\\#?\u0000-\u001F\u007F-\u009F]*$/;
const KEY_UNITS = 1024;
const TEXT_UNITS = 32_768;
const INT32 = [-(2 ** 31), 2 ** 31 - 1];
const INT64 = [-(2n ** 63n), 2n ** 63n - 1n];
const YEAR_1601 = new Date('1601-01-01T00:00:00Z');

const TEXTS = ['name', 'email', 'note'];
const each = (names, schema) => Object.fromEntries(names.map((name) => [name, schema]));

// JSON Schema has neither Int64 nor dates, so ajv gets texts and checks their form alone.
function ajvPeer() {
  const ajv = new Ajv({ allErrors: true });
  const validate = ajv.compile({
    type: 'object',
    required: ['partitionKey', 'rowKey'],
    properties: {
      ...each(['partitionKey', 'rowKey'], {
        type: 'string',
        maxLength: KEY_UNITS,
        pattern: KEY.source,
      }),
      ...each(TEXTS, { type: 'string', maxLength: TEXT_UNITS }),
      age: { type: 'integer', minimum: INT32[0], maximum: INT32[1] },
      score: { type: 'number' },
      active: { type: 'boolean' },
      balance: { type: 'string', pattern: '^-?\\d{1,19}$' },
      created: {
        type: 'string',
        pattern: '^\\d{4}-[01]\\d-[0-3]\\dT[0-2]\\d:[0-5]\\d:[0-5]\\d(\\.\\d{1,7})?Z$',
      },
    },
  });
  return (entity) => (validate(entity) ? 0 : validate.errors.length);
}

function zodPeer() {
  const key = z.string().max(KEY_UNITS).regex(KEY);
  const schema = z.object({
    ...each(['partitionKey', 'rowKey'], key),
    ...each(TEXTS, z.string().max(TEXT_UNITS)),
    age: z.int().min(INT32[0]).max(INT32[1]),
    score: z.number(),
    active: z.boolean(),
    balance: z.bigint().min(INT64[0]).max(INT64[1]),
    created: z.date().min(YEAR_1601),
  });
  return (entity) => schema.safeParse(entity).error?.issues.length ?? 0;
}

function valibotPeer() {
  const key = v.pipe(v.string(), v.maxLength(KEY_UNITS), v.regex(KEY));
  const schema = v.object({
    ...each(['partitionKey', 'rowKey'], key),
    ...each(TEXTS, v.pipe(v.string(), v.maxLength(TEXT_UNITS))),
    age: v.pipe(v.number(), v.integer(), v.minValue(INT32[0]), v.maxValue(INT32[1])),
    score: v.number(),
    active: v.boolean(),
    balance: v.pipe(v.bigint(), v.minValue(INT64[0]), v.maxValue(INT64[1])),
    created: v.pipe(v.date(), v.minValue(YEAR_1601)),
  });
  return (entity) => v.safeParse(schema, entity).issues?.length ?? 0;
}

async function ourPeer() {
  const validator = await loadValidator();
  return (entity) => validator.validateEntity(entity).length;
}

const toOwn = ({ balance, created, ...entity }) => ({
  ...entity,
  balance: BigInt(balance),
  created: new Date(created),
});
const asJson = (entity) => entity;

/**
 * `toNative` turns an entity of the data set into the form that the library reads. `countErrors`
 * returns how many rules it breaks.
 */
export async function makePeers() {
  return {
    entitable: { toNative: toOwn, countErrors: await ourPeer() },
    ajv: { toNative: asJson, countErrors: ajvPeer() },
    zod: { toNative: toOwn, countErrors: zodPeer() },
    valibot: { toNative: toOwn, countErrors: valibotPeer() },
  };
}

/** The installed version of a peer. */
export function versionOf(name) {
  return JSON.parse(readFileSync(`bench/node_modules/${name}/package.json`, 'utf8')).version;
}
