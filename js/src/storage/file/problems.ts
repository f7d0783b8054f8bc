/**
 * What goes wrong with files, and under which error or outcome a caller hears of it.
 *
 * @module
 */

import { isTableError, remade, TableError } from '../../base/errors.js';
import type { CommitResult, StorageKey } from '../page-storage.js';

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
    options?: { readonly cause?: unknown },
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

/** The same error, which tells the key of the value that is damaged, if it tells the place. */
export function withKey(
  cause: unknown,
  keyAt: (offset: number) => StorageKey | undefined,
): unknown {
  if (!isTableError(cause)) return cause;
  const { offset } = (cause.cause ?? {}) as Partial<FileDamage>;
  return offset === undefined ? cause : remade(cause, { storageKey: keyAt(offset) });
}

/** The error of a store whose file was removed, moved or replaced while it was open. */
export function gone(path: string): TableError {
  const text = `The file ${path} was removed, moved or replaced while it was open.`;
  const sentence =
    'Close all accounts that are open on its folder; the next opening takes what is there then.';
  return new TableError('StorageEvicted', text, { sentence });
}

/** The error of a folder that has the other files of a store, but not the one with its values. */
export function missing(path: string, others: string): TableError {
  const cause = new FileDamage(
    path,
    0,
    `is missing, but ${others} beside it show that it was there`,
  );
  const sentence = `Put the file back; or remove ${others}, to begin with an empty store.`;
  return new TableError('StorageDamaged', cause.message, { sentence, cause });
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
