import { describe, expect, it } from 'vitest';

import type { ErrorCode } from '../../../js/src/base/error-codes.js';
import type { TableError } from '../../../js/src/base/errors.js';
import { unwrap, type StorageFailure } from '../../../js/src/core/outcome.js';

function failure(code: ErrorCode, storageFailure?: StorageFailure): TableError {
  try {
    return unwrap({ ok: false, code, message: 'why', operation: 2 }, storageFailure);
  } catch (error) {
    return error as TableError;
  }
}

describe('unwrap', () => {
  it('returns the value of a success', () => {
    expect(unwrap({ ok: true, value: 5 })).toBe(5);
  });

  it('throws a failure under its code', () => {
    const error = failure('EntityAlreadyExists');

    expect(error.code).toBe('EntityAlreadyExists');
    expect(error.details.operationIndex).toBe(2);
  });

  it('adds the cause of the storage to errors of the storage, and to no others', () => {
    const full = { cause: 'full' };
    expect(failure('StorageQuotaExceeded', full).cause).toBe('full');
    expect(failure('StorageUnavailable', full).cause).toBe('full');
    expect(failure('StorageDamaged', full)).not.toHaveProperty('cause');
    expect(failure('TableNotFound', full)).not.toHaveProperty('cause');
    expect(failure('StorageUnavailable')).not.toHaveProperty('cause');
  });

  it('has the room in errors about room, and in no others', () => {
    const full = { room: { needed: 3, usage: 9, quota: 10 } };
    expect(failure('StorageQuotaExceeded', full).details.room).toEqual(full.room);
    expect(failure('StorageUnavailable', full).details).not.toHaveProperty('room');
    expect(failure('StorageQuotaExceeded').details).not.toHaveProperty('room');
  });
});
