/**
 * The requests of one transaction of an account.
 *
 * A transaction is optimistic. Each of its reads tells the core what the transaction has read so
 * far, and up to which position of the log that is known to be unchanged. The core answers only if
 * it still is, so everything that was read is of one moment. Each read also has the writes that it
 * is to see. At the end, the core stores the writes in one record of the log, if what was read is
 * unchanged even then.
 *
 * A write is tried out at once: a read of its entity sees it, or fails with what is wrong with it.
 * An import of many rows leaves that to the end, which takes a fraction of the time.
 *
 * @module
 */

import { invalidInput, isTableError, TableError } from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { AccountSession } from '../core/account-session.js';
import type { Answer, Operation, ReadBody } from '../core/frames.js';
import { ANY_ETAG } from '../entity/any-etag.js';
import { ReadRanges } from './read-ranges.js';

type Signal = AbortSignalLike | undefined;
type Kind = Operation['kind'];

const READS: readonly Kind[] = ['getEntity', 'queryEntities', 'queryOrdered'];
const WRITES: readonly Kind[] = ['insertEntity', 'replaceEntity', 'mergeEntity', 'deleteEntity'];

interface EntityAddress {
  readonly table?: string | undefined;
  readonly partitionKey?: string | undefined;
  readonly rowKey?: string | undefined;
}

/** Carries out requests within a transaction, one after another. */
export class TransactionSession implements Pick<AccountSession, 'answer' | 'request'> {
  readonly #session: AccountSession;
  readonly #signal: Signal;
  readonly #triesOut: boolean;
  readonly #ranges = new ReadRanges();
  readonly #writes: Operation[] = [];
  readonly #writesByEntity = new Map<string, readonly Operation[]>();
  #written = 0;
  #position: string | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #hasEnded = false;
  #failure: TableError | undefined;

  /**
   * @param signal - withdraws its requests.
   * @param triesOut - whether a write fails at once. Otherwise the transaction fails at its end.
   */
  constructor(session: AccountSession, signal?: Signal, triesOut = true) {
    this.#session = session;
    this.#signal = signal;
    this.#triesOut = triesOut;
  }

  /** Why it must run again, whatever the app has made of that; undefined, if it need not. */
  get conflict(): TableError | undefined {
    return this.#failure?.code === 'TransactionConflict' ? this.#failure : undefined;
  }

  /** About how long what it writes is: the length of the bodies. */
  get written(): number {
    return this.#written;
  }

  request(operation: Operation, signal?: Signal, readBody?: ReadBody): Promise<Answer> {
    if (this.#hasEnded) {
      return Promise.reject(invalidInput('The transaction has ended. Await every call within it.'));
    }
    const given = { ...operation };
    const either = signal ?? this.#signal;
    const result = this.#last.then(() => this.#answer(given, either, readBody));
    this.#last = result.catch(() => undefined);
    return result;
  }

  answer(operation: Operation, signal?: Signal, readBody?: ReadBody): Promise<Answer> {
    return this.request(operation, signal, readBody);
  }

  /**
   * Stores what was written.
   *
   * @throws {@link TableError} `TransactionConflict`, and the errors of writes.
   */
  async commit(): Promise<void> {
    this.end();
    await this.#last;
    this.#checkFailure();
    // What was only read is of one moment already.
    if (this.#writes.length) {
      await this.#ask({ kind: 'accountTransaction', parts: this.#writes }, this.#signal);
    }
  }

  /** Refuses every further request. */
  end(): void {
    this.#hasEnded = true;
  }

  async #answer(operation: Operation, signal: Signal, readBody?: ReadBody): Promise<Answer> {
    const { kind } = operation;
    this.#checkFailure();
    if (WRITES.includes(kind)) return await this.#write(operation, signal);
    if (!READS.includes(kind)) {
      throw invalidInput(`A transaction reads and writes entities: it has no ${kind}.`);
    }
    const answer = await this.#read(operation, this.#writesOf(operation), signal, readBody);
    if (answer.status !== 404) return answer;
    throw new TableError('ResourceNotFound', 'The specified resource does not exist.');
  }

  async #read(
    read: Operation,
    parts: readonly Operation[],
    signal: Signal,
    readBody?: ReadBody,
  ): Promise<Answer> {
    if (this.#ranges.areMany) await this.#readTables(signal);
    const answer = await this.#ask({ ...read, parts }, signal, readBody);
    // A later page is of the range of the first one.
    // A filter that no key fits has no range.
    const { ranges } = answer;
    if (read.nextPartitionKey === undefined && ranges) this.#ranges.add(read.table!, ranges);
    return answer;
  }

  async #ask(operation: Operation, signal: Signal, readBody?: ReadBody): Promise<Answer> {
    const soFar = { position: this.#position, ranges: this.#ranges.bytes };
    try {
      const answer = await this.#session.request({ ...operation, ...soFar }, signal, readBody);
      this.#position = answer.position;
      return answer;
    } catch (error) {
      // That a table is missing is no part of what was read, so nothing may depend on it.
      const codes = ['TransactionConflict', 'TableNotFound'];
      if (isTableError(error) && codes.includes(error.code)) this.#failure ??= error;
      throw error;
    }
  }

  // From now on, the transaction has read whole tables: that takes less room.
  async #readTables(signal: Signal): Promise<void> {
    const whole = new Map<string, Uint8Array>();
    for (const table of this.#ranges.tables) {
      const nothing = { kind: 'queryEntities', table, top: '0', asValues: true } as const;
      whole.set(table, (await this.#ask(nothing, signal, () => {})).ranges!);
    }
    this.#ranges.replace(whole);
  }

  async #write(given: Operation, signal: Signal): Promise<Answer> {
    const address = addressOf(given);
    const before = this.#writesOf(address);
    // What the transaction has written has another etag each time that it is tried out.
    const isOwn = before.length > 0 && given.ifMatch !== undefined;
    const write = isOwn ? { ...given, ifMatch: ANY_ETAG } : given;
    const etag = this.#triesOut
      ? await this.#etagOf(address, [...before, write], signal)
      : undefined;
    this.#writes.push(write);
    this.#written += write.body?.length ?? 0;
    this.#writesByEntity.set(nameOf(address), [...before, write]);
    return { status: 204, etag, parts: [] };
  }

  // The last of the writes is new.
  async #etagOf(address: EntityAddress, writes: readonly Operation[], signal: Signal) {
    try {
      return (await this.#tryOut(address, writes, signal)).etag;
    } catch {
      this.#checkFailure();
      // The error depends on the entity, which is not known to be read before it has an answer.
      await this.#tryOut(address, writes.slice(0, -1), signal).catch(() => undefined);
      this.#checkFailure();
      return (await this.#tryOut(address, writes, signal)).etag;
    }
  }

  #checkFailure(): void {
    if (this.#failure) throw this.#failure;
  }

  async #tryOut(address: EntityAddress, parts: readonly Operation[], signal: Signal) {
    const read = { kind: 'getEntity', ...address, select: 'RowKey', asValues: true } as const;
    return await this.#read(read, parts, signal, () => {});
  }

  // Those that concern what is read.
  #writesOf(read: EntityAddress): readonly Operation[] {
    return read.rowKey === undefined
      ? this.#writes.filter(({ table }) => table === read.table)
      : (this.#writesByEntity.get(nameOf(read)) ?? []);
  }
}

const nameOf = ({ table, partitionKey, rowKey }: EntityAddress) =>
  JSON.stringify([table, partitionKey, rowKey]);

// An insert has its keys in its body alone. Keys that are missing are refused with the body.
function addressOf({ table, partitionKey, rowKey, body }: Operation): EntityAddress {
  if (partitionKey !== undefined) return { table, partitionKey, rowKey };
  const { PartitionKey, RowKey } = JSON.parse(body as string) as Record<string, unknown>;
  return { table, partitionKey: textOf(PartitionKey), rowKey: textOf(RowKey) };
}

const textOf = (key: unknown) => (typeof key === 'string' ? key : '');
