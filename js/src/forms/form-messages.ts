/**
 * The messages of a bound form: their texts, and those that belong to no control.
 *
 * @module
 */

import type { TableError } from '../base/errors.js';
import { nameOf, type Issue } from '../base/issue.js';
import { loaded } from '../base/loaded.js';
import type { Place } from './added.js';
import type { FormTable, Options, Row } from './any-table.js';
import { kindOf } from './controls.js';
import { alertPlace, errorPlace, showAt } from './error-place.js';
import type { Field } from './field.js';
import type { Fields } from './fields.js';
import { issueTexts } from './issue-texts.js';
import { inWords, type Place as PlaceOfIssue } from './in-words.js';
import type { IssueTexts } from './messages.js';
import type { FormIssue, Messages } from './models.js';
import type { Summary } from './summary.js';

/** A message that belongs to no control. */
const named = ({ name, message }: FormIssue) => (name ? `${name}: ${message}` : message);

/** The messages of one form. */
export class FormMessages {
  readonly #form: HTMLFormElement;
  readonly #table: FormTable;
  readonly #options: Options;
  readonly #fields: Fields;
  readonly #alert: Place;
  /** Elements of the app for the messages of properties without a control. */
  readonly #places = new Map<HTMLElement, Place>();
  #summary: Summary | undefined;
  #texts: IssueTexts | undefined;
  /** Why the last submit was refused, if that belongs to no control. */
  refusal: FormIssue | undefined;

  constructor(form: HTMLFormElement, table: FormTable, options: Options, fields: Fields) {
    this.#form = form;
    this.#table = table;
    this.#options = options;
    this.#fields = fields;
    const { messages, summary } = options;
    // A submit may come before those that the app still loads.
    if (messages && !('then' in messages)) this.#texts = textsOf(messages);
    this.#alert = alertPlace(form, typeof summary === 'object' ? summary : undefined);
  }

  /** Waits for messages that the app still loads. Rejects as their promise does. */
  async waitForTexts(): Promise<void> {
    const messages = await this.#options.messages;
    if (messages) this.#texts ??= textsOf(messages);
  }

  /** @throws {@link TableError} `ScriptNotLoaded`. */
  async loadSummary(): Promise<void> {
    if (!this.#options.summary) return;
    const { Summary: List } = await loaded(import('./summary.js'));
    this.#summary = new List(this.#alert.element);
  }

  /** The issue with the message for the user. */
  inWords(issue: Issue, row: Row, field = this.#fields.get(nameOf(issue))): FormIssue {
    const { timeZone } = this.#options;
    return inWords(issue, this.#table, row, this.#texts, { ...placeOf(field), timeZone });
  }

  /** Takes an error of `onSubmit`, to be shown where it belongs. */
  refuse(error: unknown): void {
    const { issues, details, message } = (error ?? {}) as Partial<TableError>;
    const { code = 'InternalError' } = details?.odataError ?? {};
    // Errors of the app are also reported as uncaught errors.
    if (!details) reportError(error);
    // An error of the app may have issues of its own.
    const [first] = (details && issues) ?? [];
    const key = this.#table.rowKeys?.names.at(-1) ?? 'rowKey';
    const path = code === 'EntityAlreadyExists' ? [key] : first?.path;
    const whole = this.inWords({ code, message: message ?? String(error), ...first, path }, {});
    const field = this.#fields.get(whole.name);
    if (field && !field.isHidden) field.refusal = whole.message;
    else this.refusal = first ? whole : { message: whole.message };
  }

  /**
   * Shows the messages that belong to no control, and the summary.
   *
   * @param others - the issues of no field that the user sees.
   */
  show(wasSubmitted: boolean, others: readonly FormIssue[]): void {
    const { refusal } = this;
    const issues = wasSubmitted ? [...(refusal ? [refusal] : []), ...others] : [];
    const placed = this.#showInPlaces(issues);
    const { wrong } = this.#fields;
    const listed = [...wrong, ...placed.map((issue) => ({ controls: [], ...issue }))];
    if (wasSubmitted && this.#summary && listed.length) {
      return this.#summary.show(this.#texts?.headingOf(listed.length) ?? '', listed);
    }
    // One that follows from a wrong field goes with it.
    const [first] = issues.filter((one) => !placed.includes(one));
    const text = first && (first === refusal || !wrong.length) ? named(first) : '';
    const { element } = this.#alert;
    if (element.textContent !== text) element.textContent = text;
  }

  /** Shows the issues of properties without a control where the app has an element for them. */
  #showInPlaces(issues: readonly FormIssue[]): readonly FormIssue[] {
    return [...this.#form.querySelectorAll<HTMLElement>('[data-error]')].flatMap((element) => {
      const name = element.dataset['error']!;
      if (this.#fields.get(name) || !Object.hasOwn(this.#table.properties, name)) return [];
      const place = this.#places.get(element) ?? errorPlace(this.#form, name, []);
      this.#places.set(element, place);
      const issue = issues.find((one) => one.name === name);
      showAt(place, [], issue?.message ?? '');
      return issue ?? [];
    });
  }

  /** Removes what was added to the page. */
  end(): void {
    this.#summary?.end();
    for (const place of this.#places.values()) place.undo();
    this.#alert.undo();
  }
}

/** What messages know about a field. */
function placeOf(field: Field | undefined): PlaceOfIssue {
  if (!field) return {};
  const { controls, rules, times } = field;
  const days = controls[0]?.type === 'date' ? times : undefined;
  return { kind: kindOf(controls), hint: controls[0]?.title, type: rules.type, days };
}

const textsOf = (messages: Messages): IssueTexts =>
  typeof messages === 'function'
    ? { messageOf: messages, headingOf: () => '' }
    : issueTexts(messages);
