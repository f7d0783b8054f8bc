// rejection.ts - the error of a call that has to fail.

import { TableError } from '../../../js/src/base/errors.js';

/** Resolves to what the promise was rejected with; rejects if it was not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('This call had to fail, and did not.');
}

/** The same, for a {@link TableError}. */
export async function tableError(promise: Promise<unknown>): Promise<TableError> {
  const error = await rejection(promise);
  if (error instanceof TableError) return error;
  throw error;
}

/** Resolves to the code under which a call failed. */
export async function errorCode(promise: Promise<unknown>): Promise<string> {
  return (await tableError(promise)).code;
}
