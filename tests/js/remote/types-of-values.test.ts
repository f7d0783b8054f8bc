// Values cross the network without loss, in both directions.

import { TableClient as OfficialTableClient } from '@azure/data-tables';
import { describe, expect, it } from 'vitest';

import { createTableHandler, inProcessHttpClient } from '../../../js/src/http.js';
import { collect } from '../support/accounts.js';
import { BASE, openCloud } from './support.js';

const EXACT = {
  partitionKey: 'dogs é\u{1f600}',
  rowKey: "O'Rex 1%+,=&",
  chip: 9_007_199_254_740_993n,
  born: { type: 'DateTime', value: '2017-03-05T00:00:00.1234567Z' },
  seen: new Date('2024-05-06T07:08:09.123Z'),
  weight: { type: 'Double', value: 3 },
  height: 0.1,
  huge: 1e300,
  none: { type: 'Double', value: NaN },
  most: Infinity,
  age: 7,
  tag: { type: 'Guid', value: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001' },
  photo: Uint8Array.of(0, 127, 255),
  isGood: true,
  text: '3.0 "quoted\\" {"a":1.0} é\u{1f600}\n',
  empty: '',
} as const;

const PLAIN = { ...EXACT, weight: 3, none: NaN };

describe('an entity', () => {
  it('comes back as it was written, by way of a remote account', async () => {
    const { remote, local } = await openCloud();
    const pets = remote.tableClient('Pets');
    await pets.createTable();

    const { etag } = await pets.createEntity(EXACT);

    const found = await pets.getEntity(EXACT.partitionKey, EXACT.rowKey);
    expect(found).toEqual({ ...PLAIN, etag, timestamp: found.timestamp });
    expect(await collect(pets.listEntities())).toEqual([found]);
    const stored = await local.tableClient('Pets').getEntity(EXACT.partitionKey, EXACT.rowKey);
    expect(found).toEqual(stored);
  });

  it('has the types of the store, with typed and without conversion', async () => {
    const { remote, local } = await openCloud();
    await local.createTable('Pets');
    const here = local.tableClient('Pets');
    const there = remote.tableClient('Pets');
    await here.createEntity(EXACT);
    await here.createEntity({ ...EXACT, rowKey: 'int', weight: 3, huge: 2 ** 31, most: -Infinity });

    for (const options of [{ typed: true }, { disableTypeConversion: true }] as const) {
      const expected = await collect(here.listEntities(options));
      expect(await collect(there.listEntities(options))).toEqual(expected);
      const { partitionKey, rowKey } = EXACT;
      expect(await there.getEntity(partitionKey, rowKey, options)).toEqual(
        await here.getEntity(partitionKey, rowKey, options),
      );
    }
    const [typed] = await collect(there.listEntities({ typed: true }));
    expect(typed).toMatchObject({ weight: { type: 'Double', value: 3 } });
  });

  it('can be written as it was read with typed', async () => {
    const { remote } = await openCloud();
    const pets = remote.tableClient('Pets');
    await pets.createTable();
    await pets.createEntity(EXACT);
    const first = await pets.getEntity(EXACT.partitionKey, EXACT.rowKey, { typed: true });

    await pets.updateEntity(first as never, 'Replace');

    const second = await pets.getEntity(EXACT.partitionKey, EXACT.rowKey, { typed: true });
    expect({ ...second, etag: '', timestamp: '' }).toEqual({ ...first, etag: '', timestamp: '' });
  });

  it('written by the official client has its types, and the other way round', async () => {
    const { remote, local } = await openCloud();
    const pets = remote.tableClient('Pets');
    await pets.createTable();
    const official = new OfficialTableClient(BASE, 'Pets', {
      httpClient: inProcessHttpClient(createTableHandler(local, { authentication: 'anonymous' })),
      allowInsecureConnection: true,
    });
    const keys = { partitionKey: 'dogs', rowKey: 'rex' };
    await official.createEntity({
      ...keys,
      chip: { type: 'Int64', value: `${EXACT.chip}` },
      born: EXACT.born,
      weight: { type: 'Double', value: '3.0' },
      tag: EXACT.tag,
      photo: EXACT.photo,
    });

    const { chip, born, weight, tag, photo } = EXACT;
    expect(await pets.getEntity('dogs', 'rex', { typed: true })).toMatchObject({
      chip: { type: 'Int64', value: chip },
      born,
      weight,
      tag,
      photo: { type: 'Binary', value: photo },
    });
    await pets.createEntity({ ...keys, rowKey: 'zoe', chip, born, weight });
    const options = { disableTypeConversion: true };
    expect(await official.getEntity('dogs', 'zoe', options)).toMatchObject({
      chip: { type: 'Int64', value: `${chip}` },
      born,
    });
  });

  it('gets null for what was selected and is missing', async () => {
    const { remote, faults } = await openCloud();
    const pets = remote.tableClient('Pets');
    await pets.createTable();
    await pets.createEntity({ partitionKey: 'p', rowKey: 'r', a: 1 });

    const select = ['a', 'b', 'partitionKey'] as const;
    const found = await pets.getEntity('p', 'r', { select });
    expect(found).toEqual({ etag: found.etag, partitionKey: 'p', a: 1, b: null });
    expect(await pets.getEntity('p', 'r', { select: ['etag'] })).toEqual({ etag: found.etag });

    // As the emulator answers.
    faults.push(() =>
      Promise.resolve(new Response('{"odata.etag":"W/\\"x\\"","PartitionKey":"p","a":1}')),
    );
    expect(await pets.getEntity('p', 'r', { select })).toEqual({
      etag: 'W/"x"',
      partitionKey: 'p',
      a: 1,
      b: null,
    });
  });

  it('keeps a property whose name is one of ours, or of the language', async () => {
    const { remote } = await openCloud();
    const pets = remote.tableClient('Pets');
    await pets.createTable();
    const entity = { partitionKey: 'p', rowKey: 'r', $etag: 'mine', value: 1, double: 2.5 };
    Object.defineProperty(entity, '__proto__', { value: 'text', enumerable: true });

    await pets.createEntity(entity);

    const found = await pets.getEntity('p', 'r', { typed: true });
    expect(Object.getOwnPropertyDescriptor(found, '__proto__')!.value).toEqual({
      type: 'String',
      value: 'text',
    });
    expect(found).toMatchObject({
      $etag: { type: 'String', value: 'mine' },
      value: { type: 'Int32', value: 1 },
      double: { type: 'Double', value: 2.5 },
    });
  });
});
