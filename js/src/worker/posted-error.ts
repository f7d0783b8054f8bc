/**
 * Errors on their way between threads. An error is equal at the other end: code, details,
 * issues and cause.
 *
 * @module
 */

import { isTableError, remade, type TableError } from '../base/errors.js';
import { isObject, tagOf } from '../base/kinds.js';

/** An error, or any other value that was thrown, as data. */
export type PostedError =
  | (Pick<TableError, 'code' | 'message' | 'details' | 'issues'> & {
      readonly kind: 'TableError';
      readonly cause: PostedError | undefined;
    })
  | {
      readonly kind: 'Error' | 'DOMException';
      readonly name: string;
      readonly message: string;
      readonly stack: string | undefined;
      readonly cause: PostedError | undefined;
    }
  | { readonly kind: 'value'; readonly value: unknown };

// A cause may be its own cause.
const MAX_CAUSES = 8;

/** Returns an error as data that can be posted. */
export function posted(error: unknown, depth = 0): PostedError {
  const cause = causeOf(error);
  const postedCause =
    cause === undefined || depth === MAX_CAUSES ? undefined : posted(cause, depth + 1);
  if (isTableError(error)) {
    const { code, message, details, issues } = error;
    return { kind: 'TableError', code, message, details, issues, cause: postedCause };
  }
  const kind = tagOf(error);
  if (kind === 'Error' || kind === 'DOMException') {
    const { name, message, stack } = error as Error;
    return { kind, name, message, stack, cause: postedCause };
  }
  return { kind: 'value', value: cloneable(error) };
}

function causeOf(error: unknown): unknown {
  return isObject(error) ? (error as Error).cause : undefined;
}

// A function cannot be posted; its text can.
function cloneable(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return String(value);
  }
}

/** Makes the error again. */
export function received(error: PostedError): unknown {
  if (error.kind === 'value') return error.value;
  const cause = error.cause && received(error.cause);
  if (error.kind === 'TableError') return remade({ ...error, cause } as never);
  const { kind, name, message, stack } = error;
  const made = kind === 'DOMException' ? new DOMException(message, name) : new Error(message);
  if (kind === 'Error') Object.defineProperty(made, 'name', { value: name, configurable: true });
  if (stack !== undefined) Object.defineProperty(made, 'stack', { value: stack });
  if (cause !== undefined) Object.defineProperty(made, 'cause', { value: cause });
  return made;
}
