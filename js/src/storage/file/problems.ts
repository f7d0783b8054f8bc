/**
 * What goes wrong with files, and under which error or outcome a caller hears of it.
 *
 * @module
 */

import { isTableError, TableError } from '../../errors.js';
import type { CommitResult } from '../page-storage.js';

/** The cause of a `StorageDamaged` that a file gives rise to. */
export class FileDamage extends Error {
  override readonly name = 'FileDamage';

  /** The file. */
  readonly path: string;

  /** Where the damage was met, in bytes from its start. */
  readonly offset: number;

  constructor(path: string, offset: number, what: string) {
    super(`${path} ${what}, at byte ${offset}.`);
    this.path = path;
    this.offset = offset;
  }
}

/**
 * Tells `onProblem` that a crash had interrupted the last write into a file, which was cut off.
 * It had not been acknowledged with `strict` durability.
 */
export class TornEnd extends Error {
  override readonly name = 'TornEnd';

  /** The file of the store. */
  readonly path: string;

  /** Where it was cut, in bytes from its start. */
  readonly offset: number;

  /** How many bytes were cut off. */
  readonly length: number;

  /** The file that holds those bytes; undefined, if there was no room for one. */
  readonly keptIn: string | undefined;

  constructor(
    path: string,
    offset: number,
    length: number,
    keptIn: string | undefined,
    options?: ErrorOptions,
  ) {
    const where = keptIn ? `are kept in ${keptIn}` : 'could not be kept';
    super(`A write into ${path} was interrupted. Its ${length} bytes ${where}.`, options);
    this.path = path;
    this.offset = offset;
    this.length = length;
    this.keptIn = keptIn;
  }
}

/** The error that tells of damage. Nothing was changed. */
export function damaged(path: string, offset: number, what: string): TableError {
  const cause = new FileDamage(path, offset, what);
  return new TableError('StorageDamaged', cause.message, { cause });
}

/** What a commit is told that was not begun, or of which nothing is left. */
export function refusal(cause: unknown): CommitResult {
  return { outcome: isNoRoom(cause) ? 'quota' : 'refused', cause };
}

/** What to reject with when a folder cannot be used. */
export function unavailable(folder: string, cause: unknown): TableError {
  if (isTableError(cause)) return cause;
  return new TableError('StorageUnavailable', `${folder} cannot be used as a store.`, { cause });
}

export function isNoRoom(cause: unknown): boolean {
  if (isTableError(cause)) return isNoRoom(cause.cause);
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(cause));
}

/** True if it says that there is no such file. */
export function isNoEntry(cause: unknown): boolean {
  return codeOf(cause) === 'ENOENT';
}

function codeOf(cause: unknown): string {
  return (cause as { code?: string } | null)?.code ?? '';
}
