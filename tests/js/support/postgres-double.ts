// postgres-double.ts - a double of a pool and its server, which fails as a test wants.

import type {
  PostgresClient,
  PostgresPool,
  PostgresResult,
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

  async connect(): Promise<PostgresClient> {
    const error = this.onConnect();
    if (error) throw error;
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

  /** An idle connection has ended. */
  loseIdle(): void {
    this.#fail!(lostConnection());
  }
}
