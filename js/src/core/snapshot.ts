/**
 * Whether a storage answered as `PageStorage` says: adapters are anybody's.
 *
 * @module
 */

import { isBytes, isObject } from '../kinds.js';
import type { CommitResult, ReadRequest, Snapshot } from '../storage/page-storage.js';

/** @throws a `TypeError`, if the core could make nothing of it. */
export function checkedSnapshot(snapshot: Snapshot, { keys }: ReadRequest): Snapshot {
  const { values, records } = (isObject(snapshot) ? snapshot : {}) as Partial<Snapshot>;
  const isValue = (value: unknown) => value === undefined || value === null || isBytes(value);
  if (!Array.isArray(values) || values.length !== keys.length || !values.every(isValue)) {
    throw malformed(`it must have ${keys.length} values, each a Uint8Array or undefined`);
  }
  if (!Array.isArray(records) || !records.every(isRecord)) {
    throw malformed('its records must be an array of [number, Uint8Array] pairs');
  }
  return snapshot;
}

/** What is no result leaves the outcome unknown. */
export function checkedResult(result: CommitResult | undefined): CommitResult {
  if (isObject(result) && typeof result.outcome === 'string') return result;
  const cause = new TypeError('The storage answered a commit with no { outcome }.');
  return { outcome: 'unknown', cause };
}

function isRecord(record: unknown): boolean {
  return Array.isArray(record) && Number.isSafeInteger(record[0]) && isBytes(record[1]);
}

const malformed = (what: string) =>
  new TypeError(`The storage answered a read with a malformed snapshot: ${what}.`);
