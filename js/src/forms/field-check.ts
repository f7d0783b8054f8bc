/**
 * A check of the app, for example a request to a server.
 *
 * @module
 */

import type { Field } from './field.js';
import type { FormCheck, FormIssue } from './models.js';

/** A message of the app, or that the check could not be made. */
type Answer = string | FormIssue | undefined;

/** The check of one field. It asks once for each text, and the last answer wins. */
export class FieldCheck {
  readonly #check: FormCheck<unknown, object>;
  #text: string | undefined;
  #answer: Promise<Answer> | undefined;
  #abort: AbortController | undefined;

  constructor(check: FormCheck<unknown, object>) {
    this.#check = check;
  }

  /**
   * What is wrong with the value; empty, if nothing is; undefined, if the text has changed since,
   * or there is no value that keeps the other rules.
   */
  async ask(field: Field, row: object): Promise<Answer> {
    const { issue, reading, text, value } = field;
    if (issue || reading || value === undefined) return undefined;
    if (text !== this.#text || !this.#answer) {
      this.forget();
      this.#text = text;
      this.#answer = this.#ask(field.name, value, row);
    }
    return this.#answer;
  }

  /** The value has changed. */
  forget(): void {
    this.#abort?.abort();
    this.#answer = undefined;
  }

  async #ask(name: string, value: unknown, row: object): Promise<Answer> {
    const { signal } = (this.#abort = new AbortController());
    try {
      const message = await this.#check(value, { row, signal });
      return signal.aborted ? undefined : (message ?? '');
    } catch (error) {
      if (signal.aborted) return undefined;
      // The next time it is asked again.
      this.#answer = undefined;
      reportError(error);
      const { message } = (error ?? {}) as Partial<Error>;
      return {
        ...{ path: [name], isUnchecked: true },
        message: `The check failed: ${message ?? String(error)}`,
      };
    }
  }
}
