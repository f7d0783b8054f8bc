/**
 * What is wrong with a row, and checks of the app that find it.
 *
 * @module
 */

import type { ErrorCode } from '../base/error-codes.js';
import type { RuleCode } from '../base/violation.js';
import type { StandardIssue } from './standard.js';

/** What is wrong with a row: an issue of Standard Schema, with the rule in words for programs. */
export interface Issue extends StandardIssue {
  /** Missing, if another validator found it. */
  readonly rule?: RuleCode | undefined;
  /** The code with which a write is refused. */
  readonly code?: ErrorCode;
  /** The constraint of the definition that is broken. */
  readonly expected?: unknown;
  /** See {@link Violation}. */
  readonly limit?: number;
  readonly actual?: number;
  readonly position?: number;
  readonly character?: string;
}

/**
 * A check of a whole row. It returns what is wrong: an empty list, if nothing is. A promise makes
 * the validation a promise.
 */
export type TableCheck<Row = never> = (
  row: Row,
) => readonly StandardIssue[] | Promise<readonly StandardIssue[]>;
