/**
 * The log of `entitable serve`.
 *
 * @module
 */

import type { AccountAddress } from '../../server.js';
import { failureText } from '../../server/failure-text.js';
import { logObject, requestObject, type LogLevel, type ServedRequest } from '../../server/log.js';
import { LogWriter, type LogStream } from './log-writer.js';

/** Text for people, or JSON for programs: an object on each line. */
export type LogFormat = 'text' | 'json';

/** What the server says when it is ready. */
export interface Readiness {
  readonly origin: string;
  readonly accounts: readonly AccountAddress[];
  /** Where the accounts are kept. */
  readonly kept: string;
  /** The address of the page with the tables; undefined, if there is none. */
  readonly explorer: string | undefined;
  /** For people: the connection strings that may be shown. */
  readonly connectionStrings: readonly string[];
}

interface Streams {
  readonly stdout: LogStream;
  readonly stderr: LogStream;
}

// The server has to end within five seconds, and has used most of them.
const END_MS = 200;

/** Writes requests and notices to the standard output, and warnings to the error output. */
export class ServerLog {
  readonly #isJson: boolean;
  readonly #out: LogWriter;
  readonly #errors: LogWriter;

  constructor(format: LogFormat, { stdout, stderr }: Streams) {
    this.#isJson = format === 'json';
    const gap = (lines: number) =>
      this.#text('warning', 'gap', `${lines} lines were left out: their reader was slow`, {
        lines,
      });
    this.#out = new LogWriter(stdout, gap);
    this.#errors = new LogWriter(stderr, gap);
  }

  readonly request = (line: string, request: ServedRequest): void => {
    this.#out.write(this.#isJson ? requestObject(request) : line);
  };

  readonly notice = (message: string): void => {
    this.#out.write(this.#text('info', 'notice', message));
  };

  readonly warning = (message: string): void => {
    const text = this.#isJson ? message : `warning: ${message}`;
    this.#errors.write(this.#text('warning', 'warning', text));
  };

  ready({ origin, accounts, kept, explorer, connectionStrings }: Readiness): void {
    if (this.#isJson) {
      const shown = accounts.map(({ name, url }) => ({ name, url }));
      const members = { url: origin, accounts: shown, kept, ...(explorer && { explorer }) };
      this.#out.write(logObject(new Date(), 'info', 'ready', members));
      return;
    }
    for (const { name, url } of accounts) this.#out.write(`Entitable serves ${name} at ${url}`);
    this.#out.write(`kept ${kept}`);
    if (explorer) this.#out.write(`The explorer is at ${explorer}`);
    for (const text of connectionStrings) this.#out.write(text);
    // Programs wait for this line.
    this.#out.write(`Entitable is ready at ${origin}`);
  }

  /** Notes why the server ends. */
  failure(error: unknown): void {
    const text = failureText(error);
    this.#errors.write(this.#text('error', 'failure', this.#isJson ? text : `error: ${text}`));
  }

  /** Waits for the readers, but not for long. Resolves to whether they have everything. */
  async end(): Promise<boolean> {
    const ends = await Promise.all([this.#out.end(END_MS), this.#errors.end(END_MS)]);
    return !ends.includes(false);
  }

  #text(level: LogLevel, event: string, message: string, members = {}): string {
    return this.#isJson ? logObject(new Date(), level, event, { message, ...members }) : message;
  }
}
