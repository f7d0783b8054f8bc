import { beforeEach, describe, expect, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import { TableTransaction } from '../../../js/src/client/transaction.js';
import type { TransactionAction } from '../../../js/src/entity/models.js';
import { collect, openTable } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';

const dog = (rowKey: string, members: object = {}) => ({
  partitionKey: 'dogs',
  rowKey,
  ...members,
});

describe.each(STORAGES)('transactions in $adapter storage', ({ open }) => {
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: open() });
  });

  const dogs = async () =>
    (await collect(table.listEntities())).map(({ rowKey, Age }) => [rowKey, Age]);

  it('carry out all actions, and answer each', async () => {
    await table.createEntity(dog('rex', { Age: 7 }));
    await table.createEntity(dog('zoe'));
    const transaction = new TableTransaction();
    transaction.createEntity(dog('ada', { Age: 3 }));
    transaction.updateEntity(dog('rex', { Age: 8 }));
    transaction.upsertEntity(dog('max', { Age: 1 }), 'Replace');
    transaction.deleteEntity('dogs', 'zoe');

    const response = await table.submitTransaction(transaction);

    expect(response.status).toBe(202);
    expect(response.subResponses).toEqual([
      { status: 204, rowKey: 'ada', etag: expect.any(String) },
      { status: 204, rowKey: 'rex', etag: expect.any(String) },
      { status: 204, rowKey: 'max', etag: expect.any(String) },
      { status: 204, rowKey: 'zoe' },
    ]);
    expect(response.getResponseForEntity('ada')).toBe(response.subResponses[0]);
    expect(response.getResponseForEntity('tom')).toBeUndefined();
    expect((await table.getEntity('dogs', 'ada')).etag).toBe(response.subResponses[0]!.etag);
    expect(await dogs()).toEqual([
      ['ada', 3],
      ['max', 1],
      ['rex', 8],
    ]);
  });

  it.each<[unknown[], string]>([
    [['delete', dog('rex'), { etag: 'W/"old"' }], 'no options'],
    [['delete', dog('rex'), 'Merge'], '"Merge"'],
    [['create', dog('ada'), { bogus: 1 }], 'no options'],
    [['create', dog('ada'), undefined, undefined, 6], '6'],
    [['upsert', dog('rex'), 'Merge', { etag: 'W/"old"' }], 'etag'],
    [['upsert', dog('rex'), 'Replace', { bogus: 1 }], 'bogus'],
    [['upsert', dog('rex'), 'Merge', {}, 5], '5'],
    [['update', dog('rex'), 'Merge', { eTag: '*' }], 'eTag'],
    [['update', dog('rex'), 'Merge', { etag: '*' }, {}], 'an object'],
    [['update', dog('rex'), { etag: '*' }], 'Merge or Replace'],
  ])('pass over nothing that an action has: %j', async (action, named) => {
    await table.createEntity(dog('rex', { Age: 7 }));

    const error = await tableError(table.submitTransaction([action as TransactionAction]));

    expect(error.code).toBe('InvalidInput');
    expect(error.message).toContain(named);
    expect(error.details.operationIndex).toBe(0);
    expect(await dogs()).toEqual([['rex', 7]]);
  });

  it.each<[string, unknown[]]>([
    ['is missing', new Array(2)],
    ['is a symbol', [Symbol('create')]],
    ['has a kind that is a symbol', [[Symbol('create'), dog('ada')]]],
    ['has a kind that is a number', [[7, dog('ada')]]],
    ['has a kind that is an object', [[{}, dog('ada')]]],
  ])('are refused if the first action %s', async (_, actions) => {
    const error = await tableError(table.submitTransaction(actions as TransactionAction[]));

    expect(error.code).toBe('InvalidInput');
    expect(error.details.operationIndex).toBe(0);
    expect(await dogs()).toEqual([]);
  });

  it('change nothing if one action fails, and name it', async () => {
    await table.createEntity(dog('rex'));

    const error = await tableError(
      table.submitTransaction([
        ['create', dog('ada')],
        ['create', dog('rex')],
        ['create', dog('zoe')],
      ]),
    );

    expect(error).toMatchObject({
      code: 'EntityAlreadyExists',
      statusCode: 409,
      message:
        '1:The specified entity already exists. ' +
        'Table "Pets", PartitionKey "dogs", RowKey "rex", operation 1 (create).',
      details: { operationIndex: 1, odataError: { code: 'EntityAlreadyExists' } },
    });
    expect(await dogs()).toEqual([['rex', undefined]]);
  });

  it('compare the etag of an update', async () => {
    const { etag } = await table.createEntity(dog('rex'));
    await table.updateEntity(dog('rex', { Age: 1 }));

    const update: TransactionAction = ['update', dog('rex', { Age: 2 }), 'Merge', { etag }];
    const error = await tableError(table.submitTransaction([['create', dog('ada')], update]));

    expect(error.code).toBe('UpdateConditionNotSatisfied');
    expect(error.details.operationIndex).toBe(1);
    expect(await dogs()).toEqual([['rex', 1]]);
  });

  it('name the action whose value is refused before it reaches the core', async () => {
    const error = await tableError(
      table.submitTransaction([
        ['create', dog('ada')],
        ['create', dog('rex', { Toys: [] })],
      ]),
    );

    expect(error.code).toBe('InvalidInput');
    expect(error.details.operationIndex).toBe(1);
  });

  it('stay within one partition', async () => {
    const actions: TransactionAction[] = [
      ['create', dog('ada')],
      ['create', { partitionKey: 'cats', rowKey: 'tom' }],
    ];

    expect(await errorCode(table.submitTransaction(actions))).toBe(
      'CommandsInBatchActOnDifferentPartitions',
    );
  });

  it('touch an entity once', async () => {
    const actions: TransactionAction[] = [
      ['create', dog('ada')],
      ['delete', dog('ada')],
    ];

    expect(await errorCode(table.submitTransaction(actions))).toBe('InvalidDuplicateRow');
  });

  it('have up to 100 actions', async () => {
    const actions = (count: number): TransactionAction[] =>
      Array.from({ length: count }, (_, index) => ['create', dog(String(index))]);

    expect(await table.submitTransaction([])).toMatchObject({ status: 202, subResponses: [] });
    expect(await errorCode(table.submitTransaction(actions(101)))).toBe('InvalidInput');
    await table.submitTransaction(actions(100));
    expect(await dogs()).toHaveLength(100);
  });

  it('refuse an action that is none', async () => {
    const action = ['replace', dog('ada')] as never;

    expect(await errorCode(table.submitTransaction([action]))).toBe('InvalidInput');
  });
});
