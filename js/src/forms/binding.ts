/**
 * A form that is bound to a table.
 *
 * @module
 */

import type { TableError } from '../base/errors.js';
import { loaded } from '../base/loaded.js';
import type { StandardResult } from '../schema/standard.js';
import type { Issue } from '../schema/validate.js';
import { setAttribute, type Place } from './added.js';
import type { FormTable, Options, Row } from './any-table.js';
import type { FormDraft } from './draft.js';
import type { FieldCheck } from './field-check.js';
import type { Field, FieldTools } from './field.js';
import { Fields } from './fields.js';
import { inWords, nameOf } from './issues.js';
import { wordsOf, type Words } from './messages.js';
import type { FormIssue } from './models.js';
import { withValues } from './form-rows.js';
import type { Summary } from './summary.js';
import { visitsOf } from './visits.js';

type Result = StandardResult<Row, FormIssue>;

/** A message that stands at no control. */
const named = ({ name, message }: FormIssue) => (name ? `${name}: ${message}` : message);

/** See `bindForm`. */
export class Binding {
  readonly ready: Promise<void>;
  /** Reads and writes times, and knows attributes. */
  readonly #loading: Promise<void>;
  readonly #form: HTMLFormElement;
  readonly #table: FormTable;
  readonly #options: Options;
  readonly #tools: FieldTools;
  readonly #fields: Fields;
  readonly #checks = new Map<string, FieldCheck>();
  readonly #draft: Promise<FormDraft> | undefined;
  readonly #end = new AbortController();
  #alert: Place | undefined;
  #summary: Summary | undefined;
  #words: Words | undefined;
  #runs = 0;
  #busy = 0;
  #wasSubmitted = false;
  #isSubmitting = false;
  /** What is wrong beside the fields. */
  #issue: FormIssue | undefined;
  #refusal = '';

  constructor(form: HTMLFormElement, table: FormTable, options: Options) {
    this.#form = form;
    this.#table = table;
    this.#options = options;
    this.#tools = { hasZone: options.timeZone !== undefined };
    this.#fields = new Fields(form, table.properties, options.properties, this.#tools);
    this.#fields.checkValues(options.values);
    this.#fields.checkNames(options.checks);
    this.#draft = this.#keepDraft();
    this.#listen();
    this.#later(this.#readAll());
    const loading = this.#load();
    // `ready` has its error.
    this.#loading = loading.catch(() => {
      // The browser shows the messages instead.
      this.#form.noValidate = false;
    });
    this.ready = this.#start(loading);
  }

  get isBusy(): boolean {
    return this.#busy > 0;
  }

  async validate(): Promise<Result> {
    const fields = this.#fields;
    await this.#loading;
    fields.scan();
    this.#wasSubmitted = true;
    this.#refusal = '';
    for (const field of fields.all) field.isVisited = true;
    const { changes } = fields;
    const result = await this.#readAll();
    if (result.issues) return result;
    await this.#wait(Promise.all(fields.all.map((field) => this.#ask(field))));
    // The row has another value now, which is not checked.
    if (changes !== fields.changes) return this.validate();
    const { wrong } = fields;
    if (!wrong.length) return result;
    return { issues: wrong.map(({ name, message }) => ({ name, message, path: [name] })) };
  }

  async fill(row: object, { keepDraft = false } = {}): Promise<void> {
    const values = Object.entries(row) as [string, unknown][];
    // A draft that is shown later would replace the values.
    const draftOrNone = keepDraft ? this.#draft : this.#draft?.catch(() => undefined);
    const loading = [loaded(import('./filling.js')), draftOrNone] as const;
    const [filling, draft] = await Promise.all([...loading, this.#loading]);
    const fill = () => {
      for (const [name, value] of values) this.#fields.property(name)?.fill(value, filling);
    };
    if (keepDraft && draft) draft.keepWhile(fill);
    else fill();
    const isFilled = (name: string) => values.some(([other]) => other === name);
    if (!keepDraft) this.#later(draft?.remove(isFilled));
    await this.#readAll();
  }

  async discardDraft(): Promise<void> {
    await (await this.#draft)?.discard();
  }

  unbind(): void {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    for (const check of this.#checks.values()) check.forget();
    for (const field of this.#fields.all) field.end();
    this.#summary?.end();
    this.#alert?.undo();
    this.#form.removeAttribute('aria-busy');
  }

  // ------------------------------------------------------------------ events

  #listen(): void {
    const form = this.#form;
    const { signal } = this.#end;
    // Controls may be elsewhere in the page.
    const root = form.getRootNode();
    const left = visitsOf(root, signal);
    root.addEventListener('input', ({ target }) => this.#changed(target), { signal });
    const onFocusOut = (event: Event) => {
      const field = this.#fields.at(event.target);
      if (field) left(event as FocusEvent, field.controls, () => this.#visited(field));
    };
    root.addEventListener('focusout', onFocusOut, { signal });
    const submit = (event: SubmitEvent) => {
      if (!event.defaultPrevented) this.#later(this.#wait(this.#submitted(event)));
    };
    form.addEventListener('submit', submit, { signal });
    // The controls are reset after the event, unless the app prevents it.
    const reset = (event: Event) =>
      setTimeout(() => {
        if (!event.defaultPrevented) this.#wasReset();
      });
    form.addEventListener('reset', reset, { signal });
    // The browser would refuse a submit in its own words.
    const { noValidate } = form;
    form.noValidate = true;
    signal.onabort = () => (form.noValidate = noValidate);
  }

  #changed(target: EventTarget | null): void {
    const field = this.#fields.at(target);
    if (!field) return;
    field.changed = ++this.#fields.changes;
    this.#refusal = '';
    this.#checks.get(field.name)?.forget();
    field.read();
    this.#later(this.#check(field.reading));
  }

  #visited(field: Field): void {
    field.isVisited = true;
    this.#show();
    this.#later(this.#ask(field));
  }

  async #submitted(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.#isSubmitting) return;
    this.#isSubmitting = true;
    try {
      const result = await this.validate();
      if (!result.issues) {
        const { changes } = this.#fields;
        await this.#options.onSubmit(result.value, event.submitter);
        // The row is stored, whatever becomes of the draft.
        this.#later(this.#endDraft(changes));
      }
    } catch (error) {
      this.#refused(error);
    }
    this.#isSubmitting = false;
    this.#fields.wrong[0]?.controls[0]?.focus();
  }

  #wasReset(): void {
    this.#wasSubmitted = false;
    this.#refusal = '';
    for (const field of this.#fields.all) {
      field.isVisited = false;
      field.forgetFilled();
    }
    this.#later(this.#readAll());
    this.#later(this.#endDraft(this.#fields.changes));
  }

  // ------------------------------------------------------------------ checks

  async #start(loading: Promise<void>): Promise<void> {
    const { messages, summary } = this.#options;
    const settled = await Promise.allSettled([
      loading,
      wordsOf(messages).then((words) => (this.#words = words)),
      this.#draft,
      summary &&
        Promise.all([loaded(import('./summary.js')), loading]).then(([{ Summary: List }]) => {
          if (this.#alert) this.#summary = new List(this.#alert.element);
        }),
    ]);
    await this.#check();
    for (const one of settled) if (one.status === 'rejected') throw one.reason;
  }

  async #load(): Promise<void> {
    const tools = this.#tools;
    const { checks, summary, timeZone } = this.#options;
    const isTime = ({ rules }: Field) => rules.type === 'DateTime';
    const [outfit, times, fieldCheck] = await Promise.all([
      loaded(import('./outfit.js')),
      this.#fields.all.some(isTime) && loaded(import('./times.js')),
      checks && loaded(import('./field-check.js')),
    ]);
    tools.outfit = outfit;
    if (times) tools.times = times.timesIn(timeZone);
    for (const [name, check] of Object.entries(checks ?? {})) {
      this.#checks.set(name, new fieldCheck!.FieldCheck(check));
    }
    if (this.#end.signal.aborted) return;
    const own = typeof summary === 'object' ? summary : undefined;
    this.#alert = outfit.alertPlace(this.#form, own);
    for (const field of this.#fields.all) field.equip();
  }

  // Most forms have none, so its script is loaded later.
  #keepDraft(): Promise<FormDraft> | undefined {
    const { draft, account } = this.#options;
    if (draft === undefined) return undefined;
    const keys = { partitionKey: this.#table.tableName, rowKey: draft };
    return loaded(import('./draft.js')).then(({ keepDraft }) =>
      keepDraft(account!, keys, this.#form, this.#fields, this.#end.signal),
    );
  }

  /** The draft keeps only what the user changes after so many changes. */
  async #endDraft(changes: number): Promise<void> {
    await (await this.#draft)?.removeUntil(changes);
  }

  #readAll(): Promise<Result> {
    return this.#check(this.#fields.read());
  }

  /** Checks what the form holds, and shows the messages: at once, unless it has to wait. */
  async #check(reading?: Promise<unknown>): Promise<Result> {
    if (reading) await this.#wait(reading);
    const run = ++this.#runs;
    const row = withValues(this.#options.values)(this.#fields.row);
    const checking = this.#table.validate(row);
    const result = 'then' in checking ? await this.#wait(checking) : checking;
    const issues = (result.issues ?? []).map((issue) => this.#inWords(issue, row));
    const hidden = issues.find(({ name }) => this.#fields.get(name)?.isHidden ?? true);
    const atFields = this.#fields.all.map((field) => {
      const broken = issues.find(({ name }) => name === field.name);
      if (broken || !field.native) return broken;
      const native = this.#inWords(field.native, row, field);
      issues.push(native);
      return native;
    });
    // A check that began later knows more.
    if (run === this.#runs) {
      this.#fields.all.forEach((field, at) => (field.issue = atFields[at]));
      this.#issue = hidden;
      this.#show();
    }
    return issues.length ? { issues } : (result as Result);
  }

  #inWords(issue: Issue, row: Row, field = this.#fields.get(nameOf(issue))): FormIssue {
    const place = { ...field?.place, timeZone: this.#options.timeZone };
    return inWords(issue, this.#table, row, this.#words, place);
  }

  async #ask(field: Field): Promise<void> {
    const check = this.#checks.get(field.name);
    const answer = await (check && this.#wait(check.ask(field, this.#fields.row)));
    if (answer === undefined) return;
    field.refusal =
      typeof answer === 'string' ? answer : this.#inWords(answer, this.#fields.row, field).message;
    this.#show();
  }

  /** Shows an error of `onSubmit` where it belongs. */
  #refused(error: unknown): void {
    const { violations, details, message } = (error ?? {}) as Partial<TableError>;
    const { code = 'InternalError' } = details?.odataError ?? {};
    // A fault of the app is for its developer, too; and so is what no place shows.
    if (!details || !this.#alert) reportError(error);
    const [first] = violations ?? [];
    const name = code === 'EntityAlreadyExists' ? 'rowKey' : first?.path;
    const path = name === undefined ? [] : [name];
    const issue = { code, ...first, path, message: message ?? String(error) };
    const whole = this.#inWords(issue, {});
    const field = this.#fields.get(name);
    if (field && !field.isHidden) field.refusal = whole.message;
    else this.#refusal = first ? named(whole) : whole.message;
    this.#show();
  }

  // ------------------------------------------------------------------- shown

  #show(): void {
    if (this.#end.signal.aborted) return;
    for (const field of this.#fields.all) field.show();
    const { wrong } = this.#fields;
    if (this.#wasSubmitted && this.#summary && wrong.length) {
      return this.#summary.show(this.#words?.headingOf(wrong.length) ?? '', wrong);
    }
    const hidden = this.#wasSubmitted && !wrong.length && this.#issue;
    const text = this.#refusal || (hidden ? named(hidden) : '');
    const place = this.#alert?.element;
    if (place && place.textContent !== text) place.textContent = text;
  }

  /** The form is busy for the length of a promise. */
  async #wait<T>(promise: Promise<T>): Promise<T> {
    this.#setBusy(1);
    try {
      return await promise;
    } finally {
      this.#setBusy(-1);
    }
  }

  #setBusy(change: 1 | -1): void {
    this.#busy += change;
    const isShown = this.#busy && !this.#end.signal.aborted;
    setAttribute(this.#form, 'aria-busy', isShown ? 'true' : '');
  }

  /** Nobody waits for it, so its error goes to the host. */
  #later(work: unknown): void {
    Promise.resolve(work).catch(reportError);
  }
}
