import { beforeEach, describe, expect, it } from 'vitest';

import { exportAll, importAll } from '../../../js/src/archive.js';
import type { TableClient } from '../../../js/src/client/table-client.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import type { CorsRule, ServiceProperties, SignedIdentifier } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';

let account: TableServiceClient;
let pets: TableClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Pets');
  pets = account.tableClient('Pets');
});

const POLICIES: SignedIdentifier[] = [
  { id: 'none' },
  {
    id: 'true',
    accessPolicy: {
      start: new Date('2024-01-01T00:00:00.123Z'),
      expiry: new Date('2030-01-01T00:00:00Z'),
      permission: 'raud',
    },
  },
];

const RULE: CorsRule = {
  allowedOrigins: 'https://a.example,https://b.example',
  allowedMethods: 'GET',
  allowedHeaders: '',
  exposedHeaders: 'x-ms-*',
  maxAgeInSeconds: 0,
};

const OFF = { version: '1.0', enabled: false, retentionPolicy: { enabled: false } };

describe('access policies', () => {
  it('come back as they were set', async () => {
    expect(await pets.getAccessPolicy()).toEqual([]);
    await pets.setAccessPolicy(POLICIES);

    expect(await pets.getAccessPolicy()).toEqual(POLICIES);
    await pets.setAccessPolicy([]);
    expect(await pets.getAccessPolicy()).toEqual([]);
  });

  it.each([
    [[{ id: '' }]],
    [[{ id: 'a' }, { id: 'a' }]],
    [[{ id: 'a', accessPolicy: { permission: 'x' } }]],
  ])('are refused as %j', async (policies) => {
    expect(await errorCode(pets.setAccessPolicy(policies))).toBe('InvalidXmlDocument');
    expect(await pets.getAccessPolicy()).toEqual([]);
  });

  it.each<[unknown, string]>([
    [[{ id: 'a', accesPolicy: {} }], 'tableAcl[0].accesPolicy'],
    [[{ id: 'a', accessPolicy: { start: '2020-01-01' } }], 'tableAcl[0].accessPolicy.start'],
    [[{ id: 'a', accessPolicy: { start: new Date(NaN) } }], 'tableAcl[0].accessPolicy.start'],
    [[{ id: 'a', accessPolicy: { limit: 1 } }], 'tableAcl[0].accessPolicy.limit'],
    [[{ id: 'a' }, { id: 1 }], 'tableAcl[1].id'],
    [[{ id: 'a' }, {}], 'tableAcl[1].id'],
    [[undefined], 'tableAcl[0]'],
    [[, { id: 'a' }], 'tableAcl[0]'], // eslint-disable-line no-sparse-arrays -- what is missing counts
    [[5], 'tableAcl[0]'],
    [undefined, 'tableAcl'],
    [{ id: 'a' }, 'tableAcl'],
  ])('of another kind are refused by name: %j', async (policies, named) => {
    const error = await tableError(pets.setAccessPolicy(policies as SignedIdentifier[]));

    expect(error.code).toBe('InvalidInput');
    expect(error.message).toContain(named);
    expect(await pets.getAccessPolicy()).toEqual([]);
  });

  it('need a table that exists', async () => {
    const nope = account.tableClient('Nope');

    expect(await errorCode(nope.getAccessPolicy())).toBe('TableNotFound');
    expect(await errorCode(nope.setAccessPolicy(POLICIES))).toBe('TableNotFound');
  });
});

describe('properties of the service', () => {
  it('have defaults', async () => {
    expect(await account.getProperties()).toEqual({
      logging: {
        version: '1.0',
        read: false,
        write: false,
        delete: false,
        retentionPolicy: { enabled: false },
      },
      hourMetrics: OFF,
      minuteMetrics: OFF,
      cors: [],
    });
  });

  it('stay as they are if they are left out', async () => {
    const hourMetrics = {
      version: '1.0',
      enabled: true,
      includeAPIs: true,
      retentionPolicy: { enabled: true, days: 7 },
    };
    await account.setProperties({ hourMetrics, logging: undefined });
    await account.setProperties({ cors: [RULE, RULE] });

    const all = await account.getProperties();
    expect(all).toMatchObject({ hourMetrics, minuteMetrics: OFF, cors: [RULE, RULE] });
    await account.setProperties({ cors: [] });
    expect((await account.getProperties()).cors).toEqual([]);
    expect((await account.getProperties()).hourMetrics).toEqual(hourMetrics);
  });

  it.each<[unknown, string]>([
    [{ corz: [] }, 'corz'],
    [{ cors: 5 }, 'cors'],
    [{ cors: [undefined] }, 'cors[0]'],
    [{ cors: [RULE, { ...RULE, allowedOrigin: '*' }] }, 'cors[1].allowedOrigin'],
    [{ cors: [{ ...RULE, maxAgeInSeconds: '5' }] }, 'cors[0].maxAgeInSeconds'],
    [{ logging: { version: 1 } }, 'logging.version'],
    [{ hourMetrics: { retentionPolicy: { day: 1 } } }, 'hourMetrics.retentionPolicy.day'],
  ])('of another kind are refused by name: %j', async (properties, named) => {
    const error = await tableError(account.setProperties(properties as ServiceProperties));

    expect(error.code).toBe('InvalidInput');
    expect(error.message).toContain(named);
  });

  it('keep the rules', async () => {
    const six = Array.from({ length: 6 }, () => RULE);

    expect(await errorCode(account.setProperties({ cors: six }))).toBe('InvalidXmlDocument');
  });
});

describe('statistics', () => {
  it('need no waiting', async () => {
    const { geoReplication } = await account.getStatistics();

    expect(geoReplication.status).toBe('live');
    expect(Math.abs(geoReplication.lastSyncOn.getTime() - Date.now())).toBeLessThan(60_000);
  });

  it('need an open account', async () => {
    await account.close();

    expect(await errorCode(account.getStatistics())).toBe('AccountClosed');
  });
});

describe('an archive', () => {
  it('has policies and properties', async () => {
    await account.createTable('Other');
    await pets.setAccessPolicy(POLICIES);
    await account.setProperties({ cors: [RULE] });
    await pets.createEntity({ partitionKey: 'p', rowKey: 'r' });
    const archive = new Uint8Array(await new Response(exportAll(account)).arrayBuffer());
    const copy = await openForTest({ storage: memoryStorage() });

    await importAll(copy, archive);

    expect(await copy.tableClient('Pets').getAccessPolicy()).toEqual(POLICIES);
    expect(await copy.tableClient('Other').getAccessPolicy()).toEqual([]);
    expect(await copy.getProperties()).toEqual(await account.getProperties());
    expect(new Uint8Array(await new Response(exportAll(copy)).arrayBuffer())).toEqual(archive);
  });
});

describe('a transaction that may be split', () => {
  const create = (partitionKey: string, rowKey: string) =>
    ['create', { partitionKey, rowKey }] as ['create', { partitionKey: string; rowKey: string }];

  it('has any number of actions on any partitions, in their order', async () => {
    const actions = Array.from({ length: 250 }, (_, i) => create(`p${i % 2}`, `${i}`));
    const { status, subResponses, getResponseForEntity } = await pets.submitTransaction(
      [...actions, ['update', { partitionKey: 'p0', rowKey: '0', Last: true }]],
      { split: true },
    );

    expect(status).toBe(202);
    expect(subResponses.map(({ rowKey }) => rowKey)).toEqual([
      ...actions.map(([, { rowKey }]) => rowKey),
      '0',
    ]);
    expect(getResponseForEntity('249')).toMatchObject({ status: 204 });
    expect(await pets.countEntities()).toBe(250);
    expect(await pets.getEntity('p0', '0')).toMatchObject({ Last: true });
  });

  it('reports the failure, and what is stored', async () => {
    await pets.createEntity({ partitionKey: 'b', rowKey: '3' });
    const actions = [create('a', '1'), create('b', '2'), create('a', '2'), create('b', '3')];
    const error = await rejection(pets.submitTransaction(actions, { split: true }));

    expect(error).toMatchObject({
      code: 'EntityAlreadyExists',
      message:
        '3:The specified entity already exists. ' +
        'Table "Pets", PartitionKey "b", RowKey "3", operation 3 (create).',
      details: { operationIndex: 3, stored: 2 },
    });
    expect(await pets.countEntities()).toBe(3);
  });

  it('is not split unless that is asked for', async () => {
    const actions = Array.from({ length: 101 }, (_, i) => create('p', `${i}`));

    expect(await errorCode(pets.submitTransaction(actions))).toBe('InvalidInput');
    expect(await errorCode(pets.submitTransaction([create('a', '1'), create('b', '1')]))).toBe(
      'CommandsInBatchActOnDifferentPartitions',
    );
  });
});
