import { describe, expect, it } from 'vitest';

import { TableError } from '../../../js/src/base/errors.js';

describe('TableError', () => {
  it('has the members that catch blocks for the official client read', () => {
    const error = new TableError('TableNotFound', 'The table specified does not exist.');

    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('TableError');
    expect(error.code).toBe('TableNotFound');
    expect(error.statusCode).toBe(404);
    expect(error.message).toBe('The table specified does not exist.');
    expect(error.details).toEqual({
      odataError: {
        code: 'TableNotFound',
        message: { lang: 'en-US', value: 'The table specified does not exist.' },
      },
    });
  });

  it('names the action of a transaction in its details and at the beginning of its message', () => {
    const error = new TableError('EntityAlreadyExists', 'The specified entity already exists.', {
      operationIndex: 3,
    });

    expect(error.details.operationIndex).toBe(3);
    expect(error.message).toBe('3:The specified entity already exists.');
    expect(error.details.odataError.message.value).toBe(error.message);
  });

  it('has a cause only if it was given one', () => {
    const cause = new Error('disk');

    expect(new TableError('StorageUnavailable', '', { cause }).cause).toBe(cause);
    expect('cause' in new TableError('StorageUnavailable', '')).toBe(false);
  });
});
