import { describe, expect, it } from 'vitest';

import { exportAll, importAll, type ArchiveProgress } from '../../../js/src/archive.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import { openAccount } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { STORAGES, WatchedStorage } from '../support/storages.js';

const HEAD = '{"entitable":"archive","version":1}\n';
const TIME = '"Timestamp":"2020-01-01T00:00:00.1234567Z"';

const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();
const utf8 = (text: string) => new TextEncoder().encode(text);

async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = utf8(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function fill(account: TableServiceClient, tables: number, entities: number) {
  for (let table = 0; table < tables; table++) {
    await account.createTable(`Tab${table}`);
    const client = account.tableClient(`Tab${table}`);
    const all = Array.from({ length: entities }, (_, i) => ({
      partitionKey: `p${i % 7}`,
      rowKey: `${i}`,
      Whole: 3n,
      Real: { type: 'Double', value: '3' } as const,
      When: new Date(Date.UTC(2020, 1, i % 28)),
      Text: `\u00e4\n"${'x'.repeat(i % 100)}`,
    }));
    await client.importEntities(all);
    await client.updateEntity({ partitionKey: 'p0', rowKey: '0', Changed: true }, 'Merge');
  }
}

describe.each(STORAGES)('an archive of $adapter storage', ({ open }) => {
  it('makes the same account again, to the last etag', async () => {
    const account = await openForTest({ storage: open() });
    await fill(account, 3, 1500);
    await account.createTable('Empty');
    const archive = await textOf(exportAll(account));
    const lines = archive.split('\n').length - 1;
    expect(lines).toBe(2 + 4 + 4500);

    for (const size of [999, 2 ** 20]) {
      const copy = await openForTest({ storage: open() });
      const progress: ArchiveProgress[] = [];
      const done = await importAll(copy, chunksOf(archive, size), {
        onProgress: (one) => progress.push(one),
      });

      expect(done).toEqual({ read: lines, stored: lines });
      expect(progress.at(-1)).toEqual(done);
      expect(await textOf(exportAll(copy))).toBe(archive);
      for (const table of ['Tab0', 'Empty']) {
        expect(await collect(copy.tableClient(table).listEntities())).toEqual(
          await collect(account.tableClient(table).listEntities()),
        );
      }
    }
  });
});

describe('an import of an archive', () => {
  it.each([
    ['', 1, 'InvalidInput'],
    [HEAD, 2, 'InvalidInput'],
    [`${HEAD}{"TableName":"There"}\n{"tables":1,"entities":0}`, 2, 'TableAlreadyExists'],
    [`${HEAD}{"TableName":"New"}\n{"PartitionKey":"p","RowKey":"r"}\n`, 3, 'InvalidInput'],
    [
      `${HEAD}{"TableName":"New"}\n{"PartitionKey":"p","RowKey":"a/b",${TIME}}`,
      3,
      'OutOfRangeInput',
    ],
    [`${HEAD}{"TableName":"New"}\n{"PartitionKey":"p","RowKey":"r",${TIME}}\n`, 4, 'InvalidInput'],
  ])('of %j stops at line %d with %s', async (archive, line, code) => {
    const account = await openForTest({ storage: memoryStorage() });
    await account.createTable('There');

    const error = await tableError(importAll(account, utf8(archive)));

    expect(error.code).toBe(code);
    expect(error.details.line).toBe(line);
    expect(error.message).toMatch(new RegExp(`^Line ${line}: `));
  });

  it('accepts only bytes', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const source = [{ partitionKey: 'p', rowKey: 'r' }] as never;

    expect(await errorCode(importAll(account, source))).toBe('InvalidInput');
    expect(await errorCode(importAll(account, 'text' as never))).toBe('InvalidInput');
  });

  it('ends when its signal fires', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const controller = new AbortController();
    const source = new ReadableStream<Uint8Array>({
      pull: () => controller.abort(),
    });

    const error = await rejection(importAll(account, source, { abortSignal: controller.signal }));

    expect((error as Error).name).toBe('AbortError');
  });

  it('reports where the storage failed', async () => {
    const storage = new WatchedStorage();
    const account = await openForTest({ storage });
    await account.createTable('First');
    storage.onCommit = async () => ({ outcome: 'quota', room: { quota: 10 } });

    const archive = `${HEAD}{"TableName":"New"}\n{"tables":1,"entities":0}\n`;
    const error = await tableError(importAll(account, utf8(archive)));

    expect(error.code).toBe('StorageQuotaExceeded');
    expect(error.details.line).toBe(2);
    expect(error.details.room).toEqual({ needed: expect.any(Number), quota: 10 });
  });
});

describe('an export of everything', () => {
  it('passes over a table that is dropped before it comes to it', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    await fill(account, 2, 3);
    const reader = exportAll(account).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(HEAD);
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('Tab0');
    await account.deleteTable('Tab1');
    let text = '';
    for (let next; !(next = await reader.read()).done;)
      text += new TextDecoder().decode(next.value);

    expect(text.endsWith('{"tables":1,"entities":3}\n')).toBe(true);
  });

  it('sees the commits of other accounts', async () => {
    const storage = memoryStorage();
    const account = await openForTest({ storage });
    expect(await textOf(exportAll(account))).toBe(`${HEAD}{"tables":0,"entities":0}\n`);
    const other = await openAccount({ storage });
    await other.createTable('Other');

    expect(await textOf(exportAll(account))).toBe(
      `${HEAD}{"TableName":"Other"}\n{"tables":1,"entities":0}\n`,
    );
    await other.close();
  });
});

it('with a schema that cannot be read is refused, and the error names the schema', async () => {
  const account = await openForTest({ storage: memoryStorage() });
  const schema = '{"kind":"Schema","Bytes":"AQAB"}\n';
  const archive = `${HEAD}{"TableName":"Pets"}\n${schema}{"tables":1,"entities":0}\n`;

  const error = await tableError(importAll(account, utf8(archive)));
  expect(error.code).toBe('InvalidInput');
  expect(error.message).toContain('The schema cannot be read.');
  expect(error.details.line).toBe(3);
  // What comes before it is stored.
  expect(await collect(account.listTables())).toEqual([{ name: 'Pets' }]);
});
