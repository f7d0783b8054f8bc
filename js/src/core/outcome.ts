/**
 * The one place where a failure of the core becomes a JavaScript exception.
 *
 * @module
 */

import type { ErrorCode } from '../base/error-codes.js';
import { HOW_TO_REPAIR, TableError, type TableErrorOptions } from '../base/errors.js';
import type { CoreIssue } from '../base/issue.js';
import { apiName } from '../base/system-names.js';

/** The answer of the core: a value, or a named failure. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
      /**
       * In a transaction: the zero-based index of the action that failed. In an import: how many
       * entities are stored.
       */
      readonly operation?: number | undefined;
      /** In an import: PartitionKey and RowKey of the entity at fault, if both could be read. */
      readonly entityKeys?: readonly [string, string] | undefined;
      /** Of `SchemaViolation`: all findings, as a JSON array. */
      readonly violations?: string | undefined;
    };

/** An issue as the core writes it: with the text of the service, and the name on the wire. */
export type Finding = Omit<CoreIssue, 'path'> & { readonly path?: string };

/** The issue of a finding. The service has no text for a rule of a schema, so the core has ours. */
export const issueOf = ({ path, ...finding }: Finding): CoreIssue =>
  path === undefined ? finding : { ...finding, path: [apiName(path)] };

/** The last failure of the storage. */
export interface StorageFailure {
  cause?: unknown;
  /** Of the last read that failed. */
  error?: TableError;
  room?: TableErrorOptions['room'];
}

/**
 * Returns the value of a request that succeeded.
 *
 * @param storageFailure - the last failure of the storage, for errors about the storage: they get
 * its cause, and quota errors the sizes.
 * @throws {@link TableError} with the code of the service, if the request failed.
 */
export function unwrap<T>(outcome: Outcome<T>, storageFailure: StorageFailure = {}): T {
  if (outcome.ok) return outcome.value;
  const { code, message, operation: operationIndex } = outcome;
  // The message of the core begins with the value, if the core knows it.
  const named = /^(?:log|pages)\/\w+(?=: )/.exec(message)?.[0];
  // An error of the storage itself comes back from the core unchanged.
  const { error } = storageFailure;
  const reported = error?.code === code && error.message === message ? error : undefined;
  const storageKey = named ?? reported?.details.storageKey;
  const isFromStorage = code.startsWith('Storage') && code !== 'StorageDamaged';
  const room = code === 'StorageQuotaExceeded' ? storageFailure.room : undefined;
  const cause = reported?.cause ?? (isFromStorage ? storageFailure.cause : undefined);
  const [partitionKey, rowKey] = outcome.entityKeys ?? [];
  const sentence = code === 'StorageDamaged' && !reported ? HOW_TO_REPAIR : undefined;
  const findings = JSON.parse(outcome.violations ?? '[]') as Finding[];
  const places = { operationIndex, storageKey, room, partitionKey, rowKey };
  const known = { sentence, issues: findings.map(issueOf), ...places };
  throw new TableError(code, message, cause === undefined ? known : { ...known, cause });
}
