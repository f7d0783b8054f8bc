// postgres-double.ts - a double of a pool and its server, which fails as a test wants.

import { vi } from 'vitest';

import type { Batch } from '../../../js/src/storage/page-storage.js';
import {
  postgresStorage,
  type PostgresClient,
  type PostgresPool,
  type PostgresResult,
} from '../../../js/src/storage/postgres.js';

type Answer = Record<string, unknown>[] | Error;

/** An error of the server, by its state, or of the system, by its code. */
export const failure = (code: string | undefined, message = 'a message') =>
  Object.assign(new Error(message), code !== undefined && { code });
/** As `pg` reports it. */
export const lostConnection = () => failure(undefined, 'Connection terminated unexpectedly');

/** A server that answers by the kind of a statement, until a test answers in its place. */
export class PostgresDouble implements PostgresPool {
  readonly statements: string[] = [];
  /** If it returns undefined, the statement is answered as by a server without faults. */
  onStatement: (kind: string) => Answer | undefined = () => undefined;
  onConnect: () => Error | undefined = () => undefined;
  server = 'one';
  command = 'COMMIT';
  readonly options = { max: 1 };
  #fail: ((error: Error) => void) | undefined;
  #held: Promise<void> | undefined;

  async connect(): Promise<PostgresClient> {
    const error = this.onConnect();
    if (error) throw error;
    await this.#held;
    return {
      query: async (text, values) => this.#answer(text, values),
      on: () => undefined,
      removeListener: () => undefined,
      release: (end) => void (end && this.statements.push('release')),
    };
  }

  async #answer(text: string, values: unknown[] = []): Promise<PostgresResult> {
    const kind =
      [/to_regclass/, /CREATE/, /^WITH lock/, /^BEGIN/, /^COMMIT/, /^ROLLBACK/, /^SELECT NULL/]
        .find((form) => form.test(text))
        ?.source.replace(/\W/g, '') ?? 'write';
    this.statements.push(kind);
    const given = this.onStatement(kind);
    if (given instanceof Error) throw given;
    const stored = values[2] === this.server ? 1 : 0;
    const rows: Record<string, Record<string, unknown>> = {
      to_regclass: { found: 'entitable' },
      WITHlock: { stored, server: this.server },
    };
    const row = rows[kind] ?? { area: null, server: this.server };
    return { command: this.command, rows: given ?? [row] };
  }

  on(_: 'error', listener: (error: Error) => void): void {
    this.#fail = listener;
  }

  removeListener(): void {
    this.#fail = undefined;
  }

  /** From now on, no connection is made until this ends. */
  holdConnections(): { end(): void } {
    let end!: () => void;
    this.#held = new Promise((resolve) => (end = resolve));
    return { end };
  }

  /** An idle connection has ended. */
  loseIdle(): void {
    this.#fail!(lostConnection());
  }
}

/** A commit of one record, which is one statement. */
export const append: Batch = {
  expect: [
    ['log/base', Uint8Array.of(1)],
    ['log/1', undefined],
  ],
  puts: [['log/1', Uint8Array.of(2)]],
  deletes: [],
};
/** A commit of several values, which is a transaction. */
export const flush: Batch = {
  expect: [['pages/1', undefined]],
  puts: append.puts,
  deletes: ['log/0'],
};

/** A storage that has been used before, as that of an open account. */
export async function opened(double = new PostgresDouble()) {
  const storage = postgresStorage(double, 'store');
  await storage.read({ keys: [] });
  double.statements.length = 0;
  return { double, storage };
}

/** What a call resolves to that waits for a server; it gets the ten seconds at once. */
export async function afterTheWait<T>(call: () => Promise<T>): Promise<T> {
  vi.useFakeTimers();
  try {
    const result = call();
    await vi.advanceTimersByTimeAsync(10_000);
    return await result;
  } finally {
    vi.useRealTimers();
  }
}
