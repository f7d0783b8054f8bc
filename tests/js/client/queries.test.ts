import { beforeEach, describe, expect, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import { odata } from '../../../js/src/entity/odata.js';
import { collect, openTable } from '../support/accounts.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';

describe.each(STORAGES)('queries over $adapter storage', ({ open }) => {
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: open() });
  });

  const rowKeys = async (filter?: string) =>
    (await collect(table.listEntities(filter === undefined ? {} : { filter }))).map(
      ({ rowKey }) => rowKey,
    );

  const fill = (...rowKeys: string[]) =>
    Promise.all(rowKeys.map((rowKey) => table.createEntity({ partitionKey: 'p', rowKey })));

  it('return entities in the order of their keys', async () => {
    await fill('b', 'a', 'c');

    expect(await rowKeys()).toEqual(['a', 'b', 'c']);
  });

  it('return the entities that fit, by every type of value', async () => {
    const values = {
      Text: "O'Neil",
      Whole: 7,
      Large: 3000000000,
      Fraction: 0.5,
      Long: 2n ** 40n,
      Flag: true,
      Date: new Date(1234567890123),
      Ticks: { type: 'DateTime', value: '2020-01-01T00:00:00.1234567Z' },
      Guid: { type: 'Guid', value: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001' },
      Bytes: Uint8Array.of(10, 255),
      Double: { type: 'Double', value: 3 },
      Most: Infinity,
      Least: -Infinity,
    };
    await table.createEntity({ partitionKey: 'p', rowKey: 'r', ...values });
    await fill('other');

    for (const [name, value] of Object.entries(values)) {
      const filter = odata`PLACE eq ${value}`.replace('PLACE', name);
      expect(await rowKeys(filter), filter).toEqual(['r']);
    }
  });

  it('do not let a value become part of the filter', async () => {
    await fill('a', "' or true or ''a'' eq ''");

    expect(await rowKeys(odata`RowKey eq ${"' or true or 'a' eq '"}`)).toEqual([]);
    expect(await rowKeys(odata`RowKey eq '${"' or true or ''a'' eq ''"}'`)).toEqual([
      "' or true or ''a'' eq ''",
    ]);
  });

  it('return no more of an entity than was selected', async () => {
    await table.createEntity({ partitionKey: 'p', rowKey: 'r', A: 1, B: 2 });

    const select = ['partitionKey', 'B'];
    const [entity] = await collect(table.listEntities({ select }));

    expect(entity).toEqual({ etag: expect.any(String), partitionKey: 'p', B: 2 });
  });

  it('return typed values, if the conversion is disabled', async () => {
    await table.createEntity({ partitionKey: 'p', rowKey: 'r', A: 1 });

    const [entity] = await collect(table.listEntities({ disableTypeConversion: true }));

    expect(entity!.A).toEqual({ type: 'Int32', value: '1' });
  });

  it('come in pages, each with the token of the next', async () => {
    await fill('a', 'b', 'c', 'd', 'e');

    const pages = await collect(table.listEntities().byPage({ maxPageSize: 2 }));
    expect(pages.map((page) => page.map(({ rowKey }) => rowKey))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
    ]);
    expect(pages[2]!.continuationToken).toBeUndefined();

    const continuationToken = pages[0]!.continuationToken!;
    const rest = await collect(table.listEntities().byPage({ continuationToken }));
    expect(rest.map((page) => page.map(({ rowKey }) => rowKey))).toEqual([['c', 'd', 'e']]);
  });

  it('continue after the end of a page, although its last entity was deleted', async () => {
    await fill('a', 'b', 'c');
    const pages = table.listEntities().byPage({ maxPageSize: 1 });
    await pages.next();

    await table.deleteEntity('p', 'b');

    expect((await collect(pages)).flat().map(({ rowKey }) => rowKey)).toEqual(['c']);
  });

  it('return more than one page of the service', async () => {
    const rows = Array.from({ length: 1001 }, (_, index) => String(index).padStart(4, '0'));
    await fill(...rows);

    expect(await rowKeys()).toEqual(rows);
    const { value: page } = await table.listEntities().byPage().next();
    expect(page).toHaveLength(1000);
  });

  it('give a wrong filter back as an error, with the message of the service', async () => {
    const error = await tableError(rowKeys('A eq'));

    expect(error.code).toBe('InvalidInput');
    expect(error.statusCode).toBe(400);
    expect(error.message).toMatch(/position/);
  });

  it('give a page size that is none back as an error', async () => {
    for (const maxPageSize of [1001, -1, 1.5, NaN]) {
      const first = async () => table.listEntities().byPage({ maxPageSize }).next();
      const error = await tableError(first());
      expect(error.code).toBe('InvalidInput');
      expect(error.message).toContain(`maxPageSize of byPage must be an integer`);
      expect(error.message).toContain(String(maxPageSize));
    }
  });
});

describe.each(STORAGES)('counting over $adapter storage', ({ open }) => {
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: open() });
    await table.submitTransaction(
      Array.from({ length: 20 }, (_, n) => [
        'create',
        { partitionKey: 'p', rowKey: `r${10 + n}`, N: n },
      ]),
    );
  });

  it('counts the entities that match a filter, or all', async () => {
    expect(await table.countEntities()).toBe(20);
    expect(await table.countEntities({ filter: odata`N lt ${5}` })).toBe(5);
    expect(await table.countEntities({ filter: 'false' })).toBe(0);
  });

  it('reports how it was done', async () => {
    const filter = odata`PartitionKey eq 'p' and RowKey ge 'r25' and N lt 17`;

    expect(await table.explain({ filter })).toEqual({
      count: 2,
      access: 'row range',
      ranges: 1,
      pagesRead: 0,
      pagesSkipped: 0,
      entitiesExamined: 5,
      enforced: false,
    });
  });

  it('sees a write right before it', async () => {
    await table.deleteEntity('p', 'r10');
    await table.upsertEntity({ partitionKey: 'q', rowKey: 'r', N: 100 });

    expect(await table.countEntities()).toBe(20);
    expect(await table.countEntities({ filter: 'N ge 100' })).toBe(1);
  });

  it('rejects like a query', async () => {
    const wrong = table.countEntities({ filter: 'N eq' });
    const abortSignal = AbortSignal.abort();

    expect(await errorCode(wrong)).toBe('InvalidInput');
    expect(await rejection(table.countEntities({ abortSignal }))).toMatchObject({
      name: 'AbortError',
    });
    await table.deleteTable();
    expect(await errorCode(table.explain())).toBe('TableNotFound');
  });
});
