// What a remote account does when the network is well.

import { describe, expect, it } from 'vitest';

import { odata, TableTransaction } from '../../../js/src/index.js';
import { collect } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';
import { answerWith, openCloud } from './support.js';

const REX = { partitionKey: 'dogs', rowKey: 'rex', age: 7 };

async function openPets() {
  const cloud = await openCloud();
  const pets = cloud.remote.tableClient('Pets');
  await pets.createTable();
  return { ...cloud, pets };
}

describe('the tables of a remote account', () => {
  it('are created, listed and deleted, also a second time', async () => {
    const { remote, local } = await openCloud();
    for (const name of ['Cats', 'Dogs', 'Dogs']) await remote.createTable(name);
    await remote.tableClient('Birds').createTable();

    const names = async (filter?: string) =>
      (await collect(remote.listTables({ filter }))).map(({ name }) => name);
    expect(await names()).toEqual(['Birds', 'Cats', 'Dogs']);
    expect(await names(odata`TableName ge ${'C'}`)).toEqual(['Cats', 'Dogs']);
    const pages = await collect(remote.listTables().byPage({ maxPageSize: 2 }));
    expect(pages.map((page) => page.map(({ name }) => name))).toEqual([
      ['Birds', 'Cats'],
      ['Dogs'],
    ]);

    await remote.deleteTable('Dogs');
    await remote.deleteTable('Dogs');
    await remote.tableClient('Birds').deleteTable();
    expect((await collect(local.listTables())).map(({ name }) => name)).toEqual(['Cats']);
  });

  it('are refused with the error of the service, and the name', async () => {
    const { remote } = await openCloud();

    const error = await tableError(remote.createTable('a'));

    expect(error).toMatchObject({ code: 'OutOfRangeInput', statusCode: 400 });
    expect(error.message).toContain('Table "a"');
    expect(error.details.table).toBe('a');
  });

  it('need a name that can be in an address', async () => {
    const { remote, sent } = await openCloud();

    for (const name of ['', '.', '..', '\ud800']) {
      expect(await errorCode(remote.tableClient(name).createEntity(REX))).toBe('InvalidInput');
    }
    expect(() => remote.tableClient(5 as never)).toThrow('must be a string, not 5');
    expect(sent).toEqual([]);
  });
});

describe('the entities of a remote table', () => {
  it('are written under conditions, and read', async () => {
    const { pets } = await openPets();
    const { etag } = await pets.createEntity(REX);
    const merged = await pets.updateEntity({ ...REX, b: 2 }, 'Merge', { etag: etag! });
    expect(await pets.getEntity('dogs', 'rex')).toMatchObject({ age: 7, b: 2, ...merged });

    const stale = pets.updateEntity({ ...REX, c: 3 }, 'Replace', { etag: etag! });
    expect(await errorCode(stale)).toBe('UpdateConditionNotSatisfied');
    await pets.updateEntity({ partitionKey: 'dogs', rowKey: 'rex', c: 3 }, 'Replace');
    expect(await pets.getEntity('dogs', 'rex')).not.toHaveProperty('age');

    expect(await errorCode(pets.deleteEntity('dogs', 'rex', { etag: etag! }))).toBe(
      'UpdateConditionNotSatisfied',
    );
    expect(await pets.deleteEntity('dogs', 'rex')).toEqual({});
    expect(await errorCode(pets.getEntity('dogs', 'rex'))).toBe('ResourceNotFound');
    expect(await errorCode(pets.updateEntity(REX))).toBe('ResourceNotFound');
  });

  it('are upserted in both modes', async () => {
    const { pets } = await openPets();
    await pets.upsertEntity(REX);
    await pets.upsertEntity({ partitionKey: 'dogs', rowKey: 'rex', b: 2 });
    expect(await pets.getEntity('dogs', 'rex')).toMatchObject({ age: 7, b: 2 });

    await pets.upsertEntity({ partitionKey: 'dogs', rowKey: 'rex', c: 3 }, 'Replace');
    expect(await pets.getEntity('dogs', 'rex')).not.toHaveProperty('age');
  });

  it('come in pages, which continue with a token of any client', async () => {
    const { pets, local } = await openPets();
    for (let i = 0; i < 7; i++) {
      await pets.createEntity({ partitionKey: 'p\u00e9', rowKey: `${i}`, even: i % 2 === 0 });
    }
    const filter = odata`PartitionKey eq ${'p\u00e9'} and even eq ${true}`;
    const rows = (entities: { rowKey: string }[]) => entities.map(({ rowKey }) => rowKey).join('');

    const pages = await collect(pets.listEntities({ filter }).byPage({ maxPageSize: 3 }));
    expect(pages.map(rows)).toEqual(['024', '6']);
    const { continuationToken } = pages[0]!;
    const here = local
      .tableClient('Pets')
      .listEntities({ filter })
      .byPage({ continuationToken: continuationToken! });
    expect((await collect(here)).map(rows)).toEqual(['6']);
    const there = pets
      .listEntities({ filter, select: ['even'] })
      .byPage({ continuationToken: continuationToken! });
    expect((await collect(there)).map((page) => [...page])).toEqual([
      [{ etag: expect.any(String) as string, even: true }],
    ]);
  });

  it('are refused with everything that the service says', async () => {
    const { pets, sent, faults } = await openPets();
    await pets.createEntity(REX);

    const error = await tableError(pets.createEntity(REX));

    expect(error).toMatchObject({
      code: 'EntityAlreadyExists',
      statusCode: 409,
      details: {
        odataError: { message: { value: 'The specified entity already exists.' } },
        table: 'Pets',
        partitionKey: 'dogs',
        rowKey: 'rex',
        requestId: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      },
    });
    expect(error.message).toBe(
      'The specified entity already exists. Table "Pets", PartitionKey "dogs", RowKey "rex".',
    );
    faults.push(answerWith(409, {}, '{"odata.error":{"code":"Novel","message":{"value":"No."}}}'));
    expect(await tableError(pets.createEntity(REX))).toMatchObject({
      code: 'Novel',
      statusCode: 409,
    });
    const before = sent.length;
    expect(await errorCode(pets.createEntity({ ...REX, f: () => 1 } as never))).toBe(
      'InvalidInput',
    );
    expect(await errorCode(pets.updateEntity(REX, 'Merge', { etag: '"\r\nIf-Match: *' }))).toBe(
      'InvalidInput',
    );
    await expect(pets.getEntity('dogs', 'rex', { selekt: [] } as never)).rejects.toThrow(
      'has no option selekt',
    );
    expect(sent.length).toBe(before);
  });

  it('are refused with an error in XML, too', async () => {
    const { pets, faults } = await openPets();
    const xml =
      '<?xml version="1.0"?><m:error xmlns:m="x"><m:code>AuthenticationFailed</m:code>' +
      '<m:message xml:lang="en-US">No.\nRequestId:abc-1\nTime:2024-01-02T03:04:05Z</m:message></m:error>';
    faults.push(answerWith(403, { 'Content-Type': 'application/xml' }, xml));

    expect(await tableError(pets.getEntity('a', 'b'))).toMatchObject({
      code: 'AuthenticationFailed',
      statusCode: 403,
      details: { odataError: { message: { value: 'No.' } }, requestId: 'abc-1' },
    });
  });
});

describe('a transaction', () => {
  it('is stored as a whole, with etags also for deletions', async () => {
    const { pets } = await openPets();
    const first = new TableTransaction();
    for (let i = 0; i < 100; i++) {
      first.createEntity({ partitionKey: 'p', rowKey: `${i}`, text: '--changeset\r\n--batch--' });
    }

    const { status, subResponses, getResponseForEntity } = await pets.submitTransaction(first);

    expect(status).toBe(202);
    expect(subResponses.map((one) => one.status)).toEqual(Array(100).fill(204));
    expect((await pets.getEntity('p', '7')).etag).toBe(getResponseForEntity('7')!.etag);
    const entity = (rowKey: string) => ({ partitionKey: 'p', rowKey, a: 1 });
    const { etag } = subResponses[1]!;
    const second = await pets.submitTransaction([
      ['update', entity('0')],
      ['update', entity('1'), 'Replace', { etag: etag! }],
      ['upsert', entity('x')],
      ['upsert', entity('y'), 'Replace'],
      ['delete', entity('2')],
    ]);
    expect(second.subResponses.map((one) => one.etag === undefined)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(await pets.getEntity('p', '0')).toMatchObject({
      a: 1,
      text: expect.any(String) as string,
    });
    expect(await pets.getEntity('p', '1')).not.toHaveProperty('text');
    expect((await collect(pets.listEntities())).length).toBe(101);
  });

  it('names the action that failed, and changes nothing', async () => {
    const { pets } = await openPets();
    await pets.createEntity(REX);

    const error = await tableError(
      pets.submitTransaction([
        ['create', { ...REX, rowKey: 'new' }],
        ['create', REX],
      ]),
    );

    expect(error).toMatchObject({
      code: 'EntityAlreadyExists',
      statusCode: 409,
      details: { operationIndex: 1, partitionKey: 'dogs', rowKey: 'rex', table: 'Pets' },
    });
    expect(error.message).toMatch(/^1:The specified entity already exists\. Table "Pets"/);
    expect(await errorCode(pets.getEntity('dogs', 'new'))).toBe('ResourceNotFound');
  });

  it('has the index 0 for the only action, and for one that cannot be sent', async () => {
    const { pets } = await openPets();
    await pets.createEntity(REX);

    const only = await tableError(pets.submitTransaction([['create', REX]]));
    expect(only.details).toMatchObject({ operationIndex: 0, rowKey: 'rex' });
    const unsent = await tableError(
      pets.submitTransaction([
        ['delete', REX],
        ['create', { ...REX, f: Symbol('f') } as never],
      ]),
    );
    expect(unsent).toMatchObject({ code: 'InvalidInput', details: { operationIndex: 1 } });
    expect(await pets.getEntity('dogs', 'rex')).toMatchObject(REX);
  });

  it('is several with split', async () => {
    const { pets, sent } = await openPets();
    const before = sent.length;
    const actions = Array.from(
      { length: 150 },
      (_, i) => ['create', { partitionKey: `p${i % 2}`, rowKey: `${i}` }] as ['create', never],
    );

    const { subResponses } = await pets.submitTransaction(actions, { split: true });

    expect(subResponses.length).toBe(150);
    expect(sent.length - before).toBe(2);
    const error = await tableError(
      pets.submitTransaction(actions.slice(0, 2).reverse(), { split: true }),
    );
    expect(error).toMatchObject({ code: 'EntityAlreadyExists', statusCode: 409 });
    expect(error.details).toMatchObject({ operationIndex: 0, stored: 0 });
    expect(error.details.requestId).toBeDefined();
  });
});
