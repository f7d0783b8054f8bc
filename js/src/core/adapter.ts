/**
 * Calls a storage, and checks its answers. An app may have its own adapter, which may break the
 * contract of `PageStorage`.
 *
 * @module
 */

import { storageError, TableError } from '../base/errors.js';
import { isBytes, isObject } from '../base/kinds.js';
import { SEALED } from '../base/sealed.js';
import { shown } from '../base/shown.js';
import type {
  CommitResult,
  PageStorage,
  ReadRequest,
  Snapshot,
  StatusListener,
  StorageKey,
} from '../storage/page-storage.js';
import { COMMIT_OUTCOMES } from './module.js';

/**
 * Returns a snapshot as it is.
 *
 * @throws a `TypeError`, if it is malformed; {@link TableError} `StorageKeyMismatch`, if it is
 * encrypted.
 */
export function checkedSnapshot(snapshot: Snapshot, { keys }: ReadRequest): Snapshot {
  const { values, records } = (isObject(snapshot) ? snapshot : {}) as Partial<Snapshot>;
  const isValue = (value: unknown) => value === undefined || value === null || isBytes(value);
  if (!Array.isArray(values) || values.length !== keys.length || !values.every(isValue)) {
    throw malformed(`it must have ${keys.length} values, each a Uint8Array or undefined`);
  }
  if (!Array.isArray(records) || !records.every(isRecord)) {
    throw malformed('its records must be an array of [number, Uint8Array] pairs');
  }
  const sealed = values.findIndex((value) => value?.[0] === SEALED);
  if (sealed >= 0) throw encrypted(keys[sealed]!);
  return snapshot;
}

function encrypted(storageKey: StorageKey): TableError {
  const message = `The value under ${storageKey} is encrypted. Give openAccount() an encryptedStorage().`;
  return new TableError('StorageKeyMismatch', message, { storageKey });
}

/** Returns a copy whose members do not throw. The outcome of a malformed result is unknown. */
export function checkedResult(result: CommitResult | undefined): CommitResult {
  try {
    const { outcome, cause, room } = (isObject(result) ? result : {}) as Partial<CommitResult>;
    if (COMMIT_OUTCOMES.includes(outcome!))
      return { outcome: outcome!, cause, room: room && { ...room } };
    throw new TypeError(
      `The storage answered a commit with the outcome ${shown(outcome)}. It may be ${COMMIT_OUTCOMES.join(', ')}.`,
    );
  } catch (cause) {
    return { outcome: 'unknown', cause };
  }
}

function isRecord(record: unknown): boolean {
  return Array.isArray(record) && Number.isSafeInteger(record[0]) && isBytes(record[1]);
}

const malformed = (what: string) =>
  new TypeError(`The storage answered a read with a malformed snapshot: ${what}.`);

/**
 * Listens to the status of a storage.
 *
 * @returns a function that stops that; undefined, if the storage has no status.
 * @throws {@link TableError} `StorageUnavailable`
 */
export function listenTo(storage: PageStorage, listener: StatusListener): (() => void) | undefined {
  try {
    const stop: unknown = storage.onStatus?.(listener);
    if (stop === undefined || typeof stop === 'function') return stop as undefined | (() => void);
    // It may be a promise, whose rejection nothing else handles.
    Promise.resolve(stop).catch(() => undefined);
    throw new TypeError(`onStatus() of the storage returned ${shown(stop)}, and no function.`);
  } catch (cause) {
    throw storageError(cause, 'The storage does not take a listener.');
  }
}

/**
 * Closes a storage.
 *
 * @param stopListening - what `listenTo()` returned.
 * @throws {@link TableError} `StorageUnavailable`
 */
export async function closeStorage(
  storage: PageStorage,
  stopListening: (() => void) | undefined,
): Promise<void> {
  try {
    try {
      stopListening?.();
    } finally {
      await storage.close();
    }
  } catch (cause) {
    throw storageError(cause, 'The storage cannot be closed.');
  }
}
