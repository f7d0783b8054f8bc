import { describe, expect, it } from 'vitest';

import { OPERATION_KINDS } from '../../../js/src/core/frames.js';
import { isRead } from '../../../js/src/core/reads.js';

describe('a read', () => {
  it('is every operation that changes nothing', () => {
    const reads = Object.keys(OPERATION_KINDS).filter(isRead);

    expect(reads).toEqual([
      ...['getTable', 'queryTables', 'getEntity', 'queryEntities', 'countEntities'],
      ...['awaitChanges', 'getPolicies', 'getServiceProperties', 'getTableSchema'],
      ...['queryTypes', 'queryOrdered', 'queryGroups', 'querySearch'],
    ]);
  });

  it('is every safe method of HTTP', () => {
    const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'MERGE', 'DELETE'];

    expect(methods.filter(isRead)).toEqual(['GET', 'HEAD', 'OPTIONS']);
  });
});
