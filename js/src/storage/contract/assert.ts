/**
 * Assertions of the checks, without a test runner.
 *
 * @module
 */

import { sameBytes } from '../bytes.js';
import type {
  Batch,
  CommitOutcome,
  PageStorage,
  ReadRequest,
  StorageKey,
} from '../page-storage.js';

/** Options of the checks. */
export interface StorageCheckOptions {
  /**
   * The most bytes of a value of the database below the adapter; by default 65,536. Some checks
   * store values around this length, and several times as long.
   */
  readonly maxValueBytes?: number | undefined;
}

/** One sentence of the contract. `run` rejects if the storage breaks it. */
export interface StorageCheck {
  readonly name: string;

  /** @param open - makes a new, empty store each time. The check destroys those stores. */
  run(open: () => PageStorage | Promise<PageStorage>, options?: StorageCheckOptions): Promise<void>;
}

/** Makes a check that does its work with a new store. */
export function check(
  name: string,
  work: (storage: PageStorage, maxValueBytes: number) => Promise<void>,
): StorageCheck {
  return {
    name,
    async run(open, { maxValueBytes = 65_536 } = {}) {
      const storage = await open();
      try {
        await work(storage, maxValueBytes);
      } finally {
        await storage.destroy();
      }
    },
  };
}

export const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

/** The parts of a batch that a check does not set. */
export const batch = ({ expect = [], puts = [], deletes = [] }: Partial<Batch>): Batch => ({
  expect,
  puts,
  deletes,
});

/** Appends to the log: the record must not exist yet. */
export const record = (number: number, value: Uint8Array): Batch =>
  batch({ expect: [[`log/${number}`, undefined]], puts: [[`log/${number}`, value]] });

export function expectThat(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`The storage contract is broken: ${what}.`);
}

export async function expectOutcome(
  storage: PageStorage,
  made: Batch,
  outcome: CommitOutcome,
): Promise<void> {
  const result = await storage.commit(made);
  expectThat(
    result.outcome === outcome,
    `a commit had the outcome ${result.outcome}, and must have ${outcome}`,
  );
}

export async function put(
  storage: PageStorage,
  ...puts: [StorageKey, Uint8Array][]
): Promise<void> {
  await expectOutcome(storage, batch({ puts }), 'ok');
}

/** The keys must have these values; undefined: none. */
export async function expectValues(
  storage: PageStorage,
  given: readonly (readonly [StorageKey, Uint8Array | undefined])[],
): Promise<void> {
  const expected = [...given];
  const { values } = await storage.read({ keys: expected.map(([key]) => key) });
  expectThat(
    values.length === expected.length,
    `${expected.length} keys were read, and ${values.length} values came back`,
  );
  expected.forEach(([key, value], at) =>
    expectThat(
      sameBytes(values[at], value),
      `under ${key} is ${shownBytes(values[at])}, where ${shownBytes(value)} must be`,
    ),
  );
}

export async function expectRecords(
  storage: PageStorage,
  request: ReadRequest,
  given: readonly (readonly [number, Uint8Array])[],
): Promise<void> {
  const expected = [...given];
  const { records } = await storage.read(request);
  const numbers = records.map(([number]) => number).join();
  const right = expected.map(([number]) => number).join();
  expectThat(numbers === right, `the records [${numbers}] came, where [${right}] must`);
  records.forEach(([number, value], at) =>
    expectThat(
      sameBytes(value, expected[at]![1]),
      `record ${number} is ${shownBytes(value)}, where ${shownBytes(expected[at]![1])} must be`,
    ),
  );
}

function shownBytes(value: Uint8Array | undefined): string {
  if (!value) return 'nothing';
  const start = `[${value.subarray(0, 8).join()}`;
  return value.length > 8 ? `${start},… ${value.length} bytes]` : `${start}]`;
}
