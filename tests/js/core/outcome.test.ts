import { describe, expect, it } from 'vitest';

import { unwrap } from '../../../js/src/core/outcome.js';
import type { ErrorCode, TableError } from '../../../js/src/errors.js';

function failure(code: ErrorCode, storageFailure?: unknown): TableError {
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

  it('adds what storage reported to errors that are about it, and to no others', () => {
    expect(failure('StorageQuotaExceeded', 'full').cause).toBe('full');
    expect(failure('StorageUnavailable', 'gone').cause).toBe('gone');
    expect(failure('StorageDamaged', 'full')).not.toHaveProperty('cause');
    expect(failure('TableNotFound', 'full')).not.toHaveProperty('cause');
    expect(failure('StorageUnavailable')).not.toHaveProperty('cause');
  });
});
