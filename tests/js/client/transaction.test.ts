import { describe, expect, it } from 'vitest';

import { TableTransaction } from '../../../js/src/client/transaction.js';

const entity = { partitionKey: 'p', rowKey: 'r' };

describe('TableTransaction', () => {
  it('collects actions in the order in which they are given', () => {
    const transaction = new TableTransaction([['create', entity]]);

    transaction.createEntity(entity);
    transaction.deleteEntity('p', 'r');
    transaction.updateEntity(entity);
    transaction.updateEntity(entity, { etag: 'a' });
    transaction.updateEntity(entity, 'Replace', { etag: 'b' });
    transaction.upsertEntity(entity);
    transaction.upsertEntity(entity, 'Replace');

    expect(transaction.actions).toEqual([
      ['create', entity],
      ['create', entity],
      ['delete', entity],
      ['update', entity, 'Merge', {}],
      ['update', entity, 'Merge', { etag: 'a' }],
      ['update', entity, 'Replace', { etag: 'b' }],
      ['upsert', entity, 'Merge'],
      ['upsert', entity, 'Replace'],
    ]);
  });
});
