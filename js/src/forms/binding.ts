/**
 * A form that is bound to a table.
 *
 * @module
 */

import { nameOf, type Issue } from '../base/issue.js';
import { loaded } from '../base/loaded.js';
import type { StandardResult } from '../schema/standard.js';
import { setAttribute } from './added.js';
import type { FormTable, Options, Row } from './any-table.js';
import type { Control } from './controls.js';
import type { FormDraft } from './draft.js';
import type { FieldCheck } from './field-check.js';
import type { Field, FieldTools } from './field.js';
import { Fields } from './fields.js';
import type { FormMessages } from './form-messages.js';
import { withValues } from './form-rows.js';
import type { FormIssue } from './models.js';

type Result = StandardResult<Row, FormIssue>;

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
  /** Undefined, until its script is loaded. */
  #messages: FormMessages | undefined;
  /** Waits for the end of a press; undefined, until its script is loaded. */
  #afterPress: ((onReleased: () => void) => void) | undefined;
  #runs = 0;
  #busy = 0;
  #wasSubmitted = false;
  #isSubmitting = false;
  /** Issues of no field that the user sees. */
  #others: readonly FormIssue[] = [];

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
    this.#forgetRefusal();
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
    const values = Object.entries(this.#fields.keep(row));
    // A draft that is shown later would replace the values.
    const draftOrNone = keepDraft ? this.#draft : this.#draft?.catch(() => undefined);
    const loading = [loaded(import('./filling.js')), draftOrNone] as const;
    const [filling, draft] = await Promise.all([...loading, this.#loading]);
    const fill = () => {
      for (const [name, value] of values) {
        const field = this.#fields.property(name);
        if (field) filling.fillField(field, value, this.#tools.times);
      }
    };
    if (keepDraft && draft) draft.keepWhile(fill);
    else fill();
    const names = values.map(([name]) => name);
    if (!keepDraft) this.#later(draft?.remove((name) => names.includes(name)));
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
    this.#messages?.end();
    this.#form.removeAttribute('aria-busy');
  }

  // ------------------------------------------------------------------ events

  #listen(): void {
    const form = this.#form;
    const { signal } = this.#end;
    // Controls may be elsewhere in the page.
    const root = form.getRootNode();
    root.addEventListener('input', ({ target }) => this.#changed(target), { signal });
    root.addEventListener('focusout', (event) => this.#left(event as FocusEvent), { signal });
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
    this.#forgetRefusal();
    this.#checks.get(field.name)?.forget();
    field.read();
    this.#later(this.#check(field.reading));
  }

  #left({ target, relatedTarget }: FocusEvent): void {
    const control = target as Control;
    const field = this.#fields.at(control);
    // The focus comes back when the user comes back to the window.
    const isKept = control.ownerDocument.activeElement === control;
    if (!field || isKept || field.controls.includes(relatedTarget as Control)) return;
    const onReleased = () => this.#visited(field);
    if (this.#afterPress) this.#afterPress(onReleased);
    else this.#later(this.#loading.then(() => this.#afterPress?.(onReleased)));
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
        // The row is stored, even if removing the draft fails.
        this.#later(this.#endDraft(changes));
      }
    } catch (error) {
      // Without its script, no element shows it.
      if (this.#messages) this.#messages.refuse(error);
      else reportError(error);
      this.#show();
    }
    this.#isSubmitting = false;
    this.#fields.wrong[0]?.controls[0]?.focus();
  }

  #wasReset(): void {
    this.#wasSubmitted = false;
    this.#forgetRefusal();
    this.#fields.forget();
    // After the end the app has no values any more; the draft still goes.
    if (!this.#end.signal.aborted) this.#later(this.#readAll());
    this.#later(this.#endDraft(this.#fields.changes));
  }

  // ------------------------------------------------------------------ checks

  #forgetRefusal(): void {
    if (this.#messages) this.#messages.refusal = undefined;
  }

  async #start(loading: Promise<void>): Promise<void> {
    const settled = await Promise.allSettled([
      loading,
      loading.then(() => this.#messages?.waitForTexts()),
      this.#draft,
      loading.then(() => this.#messages?.loadSummary()),
    ]);
    if (!this.#end.signal.aborted) await this.#check();
    for (const one of settled) if (one.status === 'rejected') throw one.reason;
  }

  async #load(): Promise<void> {
    const tools = this.#tools;
    const { checks, timeZone } = this.#options;
    const isTime = ({ rules }: Field) => rules.type === 'DateTime';
    // With a zone, a control for a time may be added later.
    const hasTimes = this.#tools.hasZone || this.#fields.all.some(isTime);
    const [later, times, fieldCheck] = await Promise.all([
      loaded(import('./bound-form-tools.js')),
      hasTimes && loaded(import('./times.js')),
      checks && loaded(import('./field-check.js')),
    ]);
    tools.later = later;
    if (times) tools.times = times.timesIn(timeZone);
    for (const [name, check] of Object.entries(checks ?? {})) {
      this.#checks.set(name, new fieldCheck!.FieldCheck(check));
    }
    const { signal } = this.#end;
    if (signal.aborted) return;
    this.#afterPress = later.pressesOf(this.#form.getRootNode() as Document, signal);
    this.#messages = new later.FormMessages(this.#form, this.#table, this.#options, this.#fields);
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
    const others = issues.filter(({ name }) => this.#fields.get(name)?.isHidden ?? true);
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
      this.#others = others;
      this.#show();
    }
    return issues.length ? { issues } : (result as Result);
  }

  #inWords(issue: Issue, row: Row, field?: Field): FormIssue {
    return this.#messages?.inWords(issue, row, field) ?? { ...issue, name: nameOf(issue) };
  }

  async #ask(field: Field): Promise<void> {
    const check = this.#checks.get(field.name);
    const answer = await (check && this.#wait(check.ask(field, this.#fields.row)));
    if (answer === undefined) return;
    field.refusal =
      typeof answer === 'string' ? answer : this.#inWords(answer, this.#fields.row, field).message;
    this.#show();
  }

  // ------------------------------------------------------------------- shown

  #show(): void {
    if (this.#end.signal.aborted) return;
    for (const field of this.#fields.all) field.show();
    this.#messages?.show(this.#wasSubmitted, this.#others);
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
