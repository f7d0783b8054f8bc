import { beforeEach, describe, expect, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import { openTable } from '../support/accounts.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';

const rex = { partitionKey: 'dogs', rowKey: 'rex', Name: 'Rex', Age: 7 };
const custom = ({ etag: _e, timestamp: _t, ...rest }: Record<string, unknown>) => rest;

describe.each(STORAGES)('entities in $adapter storage', ({ open }) => {
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: open() });
  });

  const get = async (partitionKey = 'dogs', rowKey = 'rex') =>
    custom(await table.getEntity(partitionKey, rowKey));

  it('come back as they were, with an etag and a timestamp', async () => {
    const { etag } = await table.createEntity(rex);

    const entity = await table.getEntity('dogs', 'rex');

    expect(entity).toEqual({ ...rex, etag, timestamp: expect.any(String) });
    expect(entity.etag).toBe(`W/"datetime'${encodeURIComponent(entity.timestamp!)}'"`);
    expect(Math.abs(Date.now() - Date.parse(entity.timestamp!))).toBeLessThan(60_000);
  });

  it('keep the type and the value of every property', async () => {
    const values = {
      String: 'a\u0000é😀\n"\\',
      Empty: '',
      Int32: -2147483648,
      Beyond: 2147483648,
      Fraction: 0.1,
      Tiny: 5e-324,
      Huge: 1.7976931348623157e308,
      Whole: { type: 'Double', value: 3 },
      NaN: NaN,
      Infinity: Infinity,
      Minus: -Infinity,
      Int64: 2n ** 63n - 1n,
      Boolean: false,
      Date: new Date('1601-01-01T00:00:00.001Z'),
      Ticks: { type: 'DateTime', value: '9999-12-31T23:59:59.9999999Z' },
      Guid: { type: 'Guid', value: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001' },
      Binary: Uint8Array.of(0, 1, 254, 255),
      Nothing: new Uint8Array(),
    };

    await table.createEntity({ ...values, partitionKey: 'p', rowKey: 'r' });
    const entity = await get('p', 'r');
    expect(entity).toEqual({ ...values, Whole: 3, partitionKey: 'p', rowKey: 'r' });

    // An entity that was read can be written again, and does not change.
    await table.updateEntity((await table.getEntity<typeof values>('p', 'r')) as never, 'Replace');
    expect(await get('p', 'r')).toEqual(entity);

    const typed = await table.getEntity('p', 'r', { disableTypeConversion: true });
    expect(typed).toMatchObject({ Whole: { type: 'Double' }, Int32: { type: 'Int32' } });
    await table.updateEntity(typed as never, 'Replace');
    expect(await get('p', 'r')).toEqual(entity);
  });

  it('are found under any key', async () => {
    for (const key of ['', ' ', "O'Neil", '%25', 'a+b', 'é', '😀', '-'.repeat(1024)]) {
      await table.createEntity({ partitionKey: key, rowKey: key, Key: key });
      expect(await get(key, key)).toEqual({ partitionKey: key, rowKey: key, Key: key });
    }
  });

  it('may have a property named __proto__', async () => {
    const entity = JSON.parse('{"partitionKey":"p","rowKey":"r","__proto__":"a"}');

    await table.createEntity(entity);

    expect(Object.entries(await table.getEntity('p', 'r'))).toContainEqual(['__proto__', 'a']);
  });

  it('are not created twice', async () => {
    await table.createEntity(rex);

    const error = await tableError(table.createEntity({ ...rex, Age: 8 }));

    expect(error).toMatchObject({
      name: 'TableError',
      code: 'EntityAlreadyExists',
      statusCode: 409,
      message:
        'The specified entity already exists. Table "Pets", PartitionKey "dogs", RowKey "rex".',
    });
    expect(await get()).toEqual(rex);
  });

  it('are merged by default, or replaced', async () => {
    await table.createEntity(rex);

    await table.updateEntity({ partitionKey: 'dogs', rowKey: 'rex', Age: 8 });
    expect(await get()).toEqual({ ...rex, Age: 8 });

    const { etag } = await table.updateEntity({ ...rex, Name: undefined, Age: 9 }, 'Replace');
    expect(await get()).toEqual({ partitionKey: 'dogs', rowKey: 'rex', Age: 9 });
    expect((await table.getEntity('dogs', 'rex')).etag).toBe(etag);
  });

  it('are inserted by an upsert, or merged, or replaced', async () => {
    await table.upsertEntity(rex);
    expect(await get()).toEqual(rex);

    await table.upsertEntity({ partitionKey: 'dogs', rowKey: 'rex', Age: 8 });
    expect(await get()).toEqual({ ...rex, Age: 8 });

    await table.upsertEntity({ partitionKey: 'dogs', rowKey: 'rex', Age: 9 }, 'Replace');
    expect(await get()).toEqual({ partitionKey: 'dogs', rowKey: 'rex', Age: 9 });
  });

  it('are updated and deleted under one etag only, if one is given', async () => {
    const { etag: old } = await table.createEntity(rex);
    const { etag } = await table.updateEntity(rex);
    expect(etag).not.toBe(old);

    const calls = [
      table.updateEntity(rex, 'Merge', { etag: old }),
      table.updateEntity(rex, 'Replace', { etag: old }),
      table.deleteEntity('dogs', 'rex', { etag: old }),
    ];
    for (const call of calls) {
      const { code, statusCode } = await tableError(call);
      expect([code, statusCode]).toEqual(['UpdateConditionNotSatisfied', 412]);
    }

    const { etag: next } = await table.updateEntity(rex, 'Merge', { etag });
    await table.deleteEntity('dogs', 'rex', { etag: next });
    expect(await errorCode(get())).toBe('ResourceNotFound');
  });

  it('are missed when they are to be read, updated or deleted', async () => {
    const calls = [get(), table.updateEntity(rex), table.deleteEntity('dogs', 'rex')];

    for (const call of calls) {
      const { code, statusCode } = await tableError(call);
      expect([code, statusCode]).toEqual(['ResourceNotFound', 404]);
    }
  });

  it('need a table', async () => {
    await table.deleteTable();

    const calls = [get(), table.createEntity(rex), table.upsertEntity(rex)];

    for (const call of calls) expect(await errorCode(call)).toBe('TableNotFound');
  });

  it('need both keys', async () => {
    const entity = { partitionKey: 'p' } as { partitionKey: string; rowKey: string };

    const calls = [
      table.createEntity(entity),
      table.updateEntity(entity),
      table.upsertEntity(entity),
      table.getEntity('p', undefined as never),
      table.deleteEntity(null as never, 'r'),
    ];

    // Those that the engine need not parse are answered earlier.
    const codes = await Promise.all(calls.map(errorCode));
    expect(new Set(codes)).toEqual(new Set(['PropertiesNeedValue']));
  });

  it('do not take a key under two names', async () => {
    const entity = { ...rex, PartitionKey: 'cats' };

    expect(await errorCode(table.createEntity(entity))).toBe('DuplicatePropertiesSpecified');
    expect(await errorCode(table.upsertEntity(entity))).toBe('DuplicatePropertiesSpecified');
  });

  it.each([
    ['a lone surrogate in a value', { Name: '\ud800' }, 'InvalidInput'],
    ['a lone surrogate in a key', { rowKey: '\ud800' }, 'InvalidInput'],
    ['a key that is no text', { rowKey: 5 as never }, 'InvalidInput'],
    ['a name that is none', { 'not a name': 1 }, 'PropertyNameInvalid'],
    ['a text that is too long', { Name: 'a'.repeat(32769) }, 'PropertyValueTooLarge'],
    ['a year beyond 9999', { Born: new Date(8.64e15) }, 'InvalidInput'],
    ['an Int64 beyond its range', { Chip: 2n ** 63n }, 'InvalidInput'],
    ['a value that has no type', { Toys: ['ball'] }, 'InvalidInput'],
  ])('are refused for %s, and nothing is stored', async (_what, members, code) => {
    expect(await errorCode(table.createEntity({ ...rex, ...members }))).toBe(code);
    expect(await errorCode(table.upsertEntity({ ...rex, ...members }, 'Replace'))).toBe(code);
    expect(await errorCode(get())).toBe('ResourceNotFound');
  });

  it('refuse a mode that is none', async () => {
    expect(await errorCode(table.updateEntity(rex, 'merge' as never))).toBe('InvalidInput');
  });

  it('are read in part, the etag always with them', async () => {
    await table.createEntity(rex);

    const entity = await table.getEntity('dogs', 'rex', {
      select: ['rowKey', 'Age', 'etag', 'Nickname'],
    });

    expect(entity).toEqual({ etag: expect.any(String), rowKey: 'rex', Age: 7, Nickname: null });
  });

  it('are not touched by a call whose signal has fired', async () => {
    const abortSignal = AbortSignal.abort();
    const calls = [
      table.createEntity(rex, { abortSignal }),
      table.upsertEntity(rex, 'Merge', { abortSignal }),
      table.updateEntity(rex, 'Merge', { abortSignal }),
      table.deleteEntity('dogs', 'rex', { abortSignal }),
      table.getEntity('dogs', 'rex', { abortSignal }),
      table.listEntities({ abortSignal }).next(),
      table.submitTransaction([['create', rex]], { abortSignal }),
    ];

    for (const call of calls) expect(await rejection(call)).toMatchObject({ name: 'AbortError' });
    expect(await errorCode(get())).toBe('ResourceNotFound');
  });
});
