/**
 * The problems of files, and the errors and outcomes that report them.
 *
 * @module
 */

import { HOW_TO_REPAIR, isTableError, remade, TableError } from '../../base/errors.js';
import type { CommitResult, StorageKey } from '../page-storage.js';

/** The cause of a `StorageDamaged` of a file. */
export class FileDamage extends Error {
  override readonly name = 'FileDamage';

  /** The file. */
  readonly path: string;

  /** The place of the damage, in bytes from the start. */
  readonly offset: number;

  constructor(path: string, offset: number, what: string) {
    super(`${path} ${what}, at byte ${offset}.`);
    this.path = path;
    this.offset = offset;
  }
}

/**
 * Reports to `onProblem` that a crash interrupted the last write to a file. The bytes of that write
 * were cut off; it had not been acknowledged with `strict` durability.
 */
export class TornEnd extends Error {
  override readonly name = 'TornEnd';

  /** The file of the store. */
  readonly path: string;

  /** Where it was cut, in bytes from its start. */
  readonly offset: number;

  /** How many bytes were cut off. */
  readonly length: number;

  /** The file with those bytes; undefined, if there was no room for it. */
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

// Without its beginning, nothing in a file can be found.
const NO_REPAIR = 'It cannot be repaired: put back a copy, or begin with an archive.';

/** The error of a damaged file, or of a damaged value in it. Nothing was changed. */
export function damaged(path: string, offset: number, what: string): TableError {
  const cause = new FileDamage(path, offset, what);
  const sentence = offset === 0 ? NO_REPAIR : HOW_TO_REPAIR;
  return new TableError('StorageDamaged', cause.message, { sentence, cause });
}

/** The same error, if a store is damaged whose values are being moved to a second file. */
export function inMove(cause: unknown, second: string): unknown {
  if (!isTableError(cause) || cause.code !== 'StorageDamaged') return cause;
  const { message } = cause.cause as FileDamage;
  const sentence =
    `An interrupted move has left ${second} beside the file of the store, and cannot be finished. If ` +
    `the file was put back from a copy meanwhile, remove ${second}. Otherwise repair() of ` +
    '"entitable/recovery" saves what is intact in both.';
  return new TableError('StorageDamaged', message, { sentence, cause: cause.cause });
}

/** The same error with the key of the damaged value, if the error has a place. */
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

/** The error of a folder with the other files of a store, but without the file of its values. */
export function missing(path: string, others: string): TableError {
  const cause = new FileDamage(
    path,
    0,
    `is missing, but ${others} beside it show that it was there`,
  );
  const sentence = `Put the file back; or remove ${others}, to begin with an empty store.`;
  return new TableError('StorageDamaged', cause.message, { sentence, cause });
}

/** The result of a commit that was not begun, or of which no part is left. */
export function refusal(cause: unknown): CommitResult {
  return { outcome: isNoRoom(cause) ? 'quota' : 'refused', cause };
}

/** The error of a folder that cannot be used. */
export function unavailable(folder: string, cause: unknown): TableError {
  if (isTableError(cause)) return cause;
  return new TableError('StorageUnavailable', `${folder} cannot be used as a store.`, { cause });
}

export function isNoRoom(cause: unknown): boolean {
  if (isTableError(cause)) return isNoRoom(cause.cause);
  return ['ENOSPC', 'EDQUOT', 'EFBIG', 'QuotaExceededError'].includes(kindOf(cause));
}

/** True if the error means that there is no such file. */
export function isNoEntry(cause: unknown): boolean {
  return ['ENOENT', 'NotFoundError'].includes(kindOf(cause));
}

// The code of an operating system, or the name that browsers use.
function kindOf(cause: unknown): string {
  const { code, name = '' } = (cause ?? {}) as { code?: unknown; name?: string };
  return typeof code === 'string' ? code : name;
}
