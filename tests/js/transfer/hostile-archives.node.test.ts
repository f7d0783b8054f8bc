// Archives that were cut, altered at random, or made to do harm.

import { beforeAll, describe, expect, it } from 'vitest';

import { exportAll, importAll } from '../../../js/src/archive.js';
import { isTableError } from '../../../js/src/base/errors.js';
import { openAccount } from '../../../js/src/index.js';
import { verify } from '../../../js/src/recovery.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { roundsOf } from '../../../scripts/test/tier.mjs';
import { openForTest } from '../support/accounts.js';
import { randomNumbers, testSeed } from '../support/random-numbers.js';
import { tableError } from '../support/rejection.js';

const seed = testSeed();
const ARCHIVES = roundsOf('ENTITABLE_ARCHIVES', { usual: 40, whole: 400 });

const HEAD = '{"entitable":"archive","version":1}\n';
// What an altered archive may be refused for.
const CODES = [
  ...['InvalidInput', 'InvalidResourceName', 'OutOfRangeInput', 'TableAlreadyExists'],
  ...['PropertyNameInvalid', 'PropertyNameTooLong', 'PropertiesNeedValue', 'InvalidXmlDocument'],
  ...['DuplicatePropertiesSpecified', 'PropertyValueTooLarge', 'EntityAlreadyExists'],
  ...['StorageVersionNewer', 'InvalidXmlNodeValue', 'JsonFormatNotSupported'],
];

const utf8 = (text: string) => new TextEncoder().encode(text);
const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

let archive: string;

// An account with something of everything, whose names are those of JavaScript's own.
beforeAll(async () => {
  const account = await openAccount({ storage: memoryStorage() });
  await account.setProperties({
    cors: [
      {
        allowedOrigins: '*',
        allowedMethods: 'GET',
        allowedHeaders: 'a',
        exposedHeaders: '',
        maxAgeInSeconds: 5,
      },
    ],
  });
  for (const name of ['constructor', 'Pets']) {
    await account.createTable(name);
    const table = account.tableClient(name);
    await table.setAccessPolicy([{ id: 'readers', accessPolicy: { permission: 'r' } }]);
    const rows = Array.from({ length: 30 }, (_, at) => ({
      PartitionKey: ['__proto__', 'constructor', "it's", '\u{1f600}'][at % 4],
      RowKey: `${1000 + at}`,
      'long@odata.type': 'Edm.Int64',
      long: `${at}`,
      ['__proto__']: 'own',
      text: 'é\n"'.repeat(at),
    }));
    await table.importEntities(utf8(rows.map((row) => JSON.stringify(row)).join('\n')));
  }
  const keys = { partitionKey: t.string(), rowKey: t.string() };
  await account.enforce(defineTable('Pets', { ...keys, long: t.int64() }));
  await account.updateIndexes({ tableName: 'Pets', indexes: [['long'], ['words(text)']] });
  archive = await textOf(exportAll(account));
  await account.close();
});

/** Restores an archive. Whatever it is, the store is intact, and what it has can be exported. */
async function restored(text: string | Uint8Array): Promise<{ code?: string; again: string }> {
  const storage = memoryStorage();
  const account = await openForTest({ storage });
  const bytes = typeof text === 'string' ? utf8(text) : text;
  const code = await importAll(account, bytes).then(
    () => undefined,
    (error: unknown) => {
      if (!isTableError(error)) throw error;
      return error.code;
    },
  );
  const again = await textOf(exportAll(account));
  await account.close();
  expect(await verify(storage)).toEqual([]);
  return { ...(code !== undefined && { code }), again };
}

describe('an archive', () => {
  it('comes back as it was', async () => {
    expect(await restored(archive)).toEqual({ again: archive });
  });

  it('that was cut anywhere is refused', async () => {
    const below = randomNumbers(seed);
    const bytes = utf8(archive);
    const places = Array.from({ length: ARCHIVES }, () => below(bytes.length - 1));
    for (const place of [0, 1, HEAD.length - 1, HEAD.length, bytes.length - 2, ...places]) {
      const { code } = await restored(bytes.slice(0, place));
      expect(code, `ENTITABLE_SEED=${seed}: cut at ${place}`).toBe('InvalidInput');
    }
  });

  it(
    `that was altered is refused, or makes a whole account, ${ARCHIVES} times from seed ${seed} on`,
    { timeout: 30_000 + ARCHIVES * 200 },
    async () => {
      for (let at = 0; at < ARCHIVES; at++) {
        const altered = alteredAt(randomNumbers(seed + at));
        const { code, again } = await restored(altered);
        const hint = `ENTITABLE_SEED=${seed + at}`;
        if (code !== undefined) expect(CODES, hint).toContain(code);
        // Whatever was stored is a whole archive again.
        expect(await restored(again), hint).toEqual({ again });
      }
    },
  );

  it.each([
    '../../etc/passwd',
    '..',
    '/',
    'C:\\x',
    'tables',
    'Tables',
    '$metadata',
    '__proto__',
    'a',
    'x'.repeat(64),
    'é',
    '',
    'a\u0000b',
    '1abc',
  ])('with a table named %j is refused', async (name) => {
    const lines = [JSON.stringify({ TableName: name }), '{"tables":1,"entities":0}'];
    const account = await openForTest({ storage: memoryStorage() });

    const error = await tableError(importAll(account, utf8(`${HEAD}${lines.join('\n')}\n`)));

    expect(error.details.line).toBe(2);
    expect(await textOf(exportAll(account))).toBe(`${HEAD}{"tables":0,"entities":0}\n`);
  });
});

// Another byte, a line that is missing, twice, elsewhere or cut, or deep arrays.
function alteredAt(below: (limit: number) => number): Uint8Array {
  const kind = below(6);
  if (kind < 2) {
    const bytes = utf8(archive);
    for (let left = 1 + below(3); left > 0; left--) bytes[below(bytes.length)] = below(256);
    return bytes;
  }
  const lines = archive.split('\n').slice(0, -1);
  const [one, other] = [below(lines.length), below(lines.length)];
  if (kind === 2) lines.splice(one, 1);
  if (kind === 3) lines.splice(one, 0, lines[other]!);
  if (kind === 4) [lines[one], lines[other]] = [lines[other]!, lines[one]!];
  const deep = '['.repeat(1000);
  if (kind === 5)
    lines[one] = lines[one]!.replace(/:.*/, `:${deep}${below(2) ? ']'.repeat(1000) : ''}}`);
  return utf8(`${lines.join('\n')}\n`);
}
