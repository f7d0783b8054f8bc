// Exports of tables: their text, and how it is read.

import { beforeEach, describe, expect, it } from 'vitest';

import { TableError } from '../../../js/src/base/errors.js';
import type { TableClient } from '../../../js/src/client/table-client.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openTable } from '../support/accounts.js';
import { type Dog, dog, dogs, wire } from '../support/dogs.js';
import { errorCode } from '../support/rejection.js';

describe('an export', () => {
  const text = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: memoryStorage() });
  });

  it('is JSON with the selected properties and the keys', async () => {
    expect(await text(table.exportEntities())).toBe('');
    expect(JSON.parse(await text(table.exportEntities({ format: 'array' })))).toEqual([]);

    await table.importEntities(dogs(2100, { Text: 'é' }));
    const query = { filter: 'Number ge 2098', select: ['Text'] };
    const expected = [2098, 2099].map((number) => wire({ ...dog(number), Text: 'é' } as Dog));
    for (const one of expected) delete (one as Partial<Dog>).Number;
    const lines = await text(table.exportEntities(query));
    expect(lines.endsWith('\n')).toBe(true);
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(expected);
    expect(JSON.parse(await text(table.exportEntities({ ...query, format: 'array' })))).toEqual(
      expected,
    );
  });

  it('shows characters as they are, and leaves no text changed', async () => {
    const texts = ['é 日本 \u{1F600}', '"\\u00e9" \\\\', 'a\u0001\n\tb', '\u2028', 'x,\n]'];
    for (const [index, Text] of texts.entries()) {
      await table.createEntity(dog(index, { Text }));
    }

    const lines = (await text(table.exportEntities({ select: ['Text'] }))).split('\n');
    const array = await text(table.exportEntities({ format: 'array' }));

    expect(lines[0]).toBe('{"PartitionKey":"dogs","RowKey":"000000","Text":"é 日本 \u{1F600}"}');
    expect(lines[1]).toContain('"Text":"\\"\\\\u00e9\\" \\\\\\\\"');
    expect(lines[2]).toContain('"Text":"a\\u0001\\n\\tb"');
    const textOf = ({ Text }: { Text: string }) => Text;
    expect(lines.slice(0, -1).map((line) => textOf(JSON.parse(line)))).toEqual(texts);
    expect((JSON.parse(array) as { Text: string }[]).map(textOf)).toEqual(texts);
  });

  it('is one array, whatever its pages', async () => {
    for (const count of [1, 1000, 2000, 2001]) {
      await table.importEntities(dogs(count), { mode: 'Replace' });
      const array = JSON.parse(await text(table.exportEntities({ format: 'array' }))) as Dog[];
      expect(array.map((one) => one.Number)).toEqual([...Array(count).keys()]);
    }
    const none = { format: 'array', filter: 'Number lt 0' } as const;
    expect(JSON.parse(await text(table.exportEntities(none)))).toEqual([]);
  });

  it('is an array, too, if the entities of the last page are deleted', async () => {
    await table.importEntities(dogs(1001));
    const chunks: BlobPart[] = [];
    for await (const chunk of table.exportEntities({ format: 'array' })) {
      chunks.push(chunk.slice());
      if (chunks.length === 1) await table.deleteEntity('dogs', dog(1000).rowKey);
    }

    expect(JSON.parse(await new Blob(chunks).text())).toHaveLength(1000);
  });

  it('reads no more than its reader wants', async () => {
    await table.importEntities(dogs(5000));
    const reader = table.exportEntities().getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value).trim().split('\n')).toHaveLength(1000);
    await reader.cancel();
  });

  it('fails under the code of the service', async () => {
    const read = (options: object) => table.exportEntities(options).getReader().read();
    expect(await errorCode(read({ filter: 'Number eq' }))).toBe('InvalidInput');
    expect(() => table.exportEntities({ format: 'xml' as never })).toThrow(TableError);
    await table.deleteTable();
    expect(await errorCode(read({}))).toBe('TableNotFound');
  });
});
