/**
 * Whether a storage answered as `PageStorage` says: adapters are anybody's.
 *
 * @module
 */

import { isBytes, isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import type { CommitResult, ReadRequest, Snapshot } from '../storage/page-storage.js';
import { COMMIT_OUTCOMES } from './module.js';

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

/** A copy, of which no member throws. What is no result leaves the outcome unknown. */
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
