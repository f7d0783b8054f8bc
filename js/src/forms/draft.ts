/**
 * Unsaved input of forms, in a table of the account.
 *
 * The table is `FormDrafts`. A draft is an entity of it: the PartitionKey is the name of the table
 * that the form is bound to, the RowKey the name of the draft. Each control has a property of its
 * name, with its text.
 *
 * A page that is left ends before an account has stored anything more. So the last texts wait in
 * `localStorage`, with the ID of the draft in this account, until the form is bound again.
 *
 * @module
 */

import { isTableError } from '../base/errors.js';
import { MAX_STRING_LENGTH } from '../base/limits.js';
import type { EntityKeys } from '../entity/keys.js';
import { setText } from './filling.js';
import type { Field } from './field.js';
import type { Fields } from './fields.js';
import type { DraftAccount } from './models.js';

/** The name of the table. */
export const DRAFT_TABLE = 'FormDrafts';

// Typing does not write with each key stroke.
const PAUSE_MS = 400;

type Draft = Readonly<Record<string, string>>;

/**
 * Shows the draft in the form, and keeps what is typed from now on.
 *
 * @param signal - ends it.
 */
export async function keepDraft(
  account: DraftAccount,
  keys: EntityKeys,
  form: HTMLFormElement,
  fields: Fields,
  signal: AbortSignal,
): Promise<FormDraft> {
  const draft = new FormDraft(account, keys, fields);
  const save = () => draft.save(() => textsOf(fields));
  const onInput = ({ target }: Event) => fields.at(target) && save();
  form.getRootNode().addEventListener('input', onInput, { signal });
  const leave = () => draft.leave();
  form.ownerDocument.addEventListener('visibilitychange', leave, { signal });
  form.ownerDocument.defaultView?.addEventListener('pagehide', leave, { signal });
  if (!signal.aborted) signal.addEventListener('abort', () => draft.flush());
  const texts = await draft.load();
  // What the user has typed is newer.
  if (fields.isTouched) save();
  else if (texts) draft.show(texts);
  return draft;
}

// No password, file, code or number of a card.
const isKept = ({ controls, isProperty }: Field) =>
  isProperty &&
  controls.every(
    ({ type, autocomplete }) =>
      !/^(password|file|hidden)$/.test(type) && !/^off$|password|code|cc-/.test(autocomplete),
  );

// What the app has filled in may have another value the next time.
const textsOf = (fields: Fields): Draft => {
  const kept = fields.all.filter((field) => isKept(field) && !field.isAsFilled);
  return Object.fromEntries(kept.map(({ name, text }) => [name, text]));
};

function restore(fields: Fields, texts: Draft): void {
  for (const field of fields.all.filter(isKept)) {
    const text = texts[field.name];
    if (text === undefined) continue;
    setText(field.controls, () => text);
    field.read();
  }
}

/** The draft of one form. */
export class FormDraft {
  readonly #account: DraftAccount;
  readonly #keys: EntityKeys;
  readonly #fields: Fields;
  readonly #leftKey: string;
  /** What is in the form and in the draft; undefined, if there is no draft. */
  #kept: (() => Draft) | undefined;
  /** Of the draft in this account. Another account may have one of the same name. */
  #id = Math.random().toString(36).slice(2);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next: (() => Draft) | undefined;
  /** What no write has stored yet. */
  #unsaved: (() => Draft) | undefined;
  /** Writes come one after another, so that no save follows a removal. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(account: DraftAccount, keys: EntityKeys, fields: Fields) {
    this.#account = account;
    this.#keys = keys;
    this.#fields = fields;
    this.#leftKey = ['entitable', DRAFT_TABLE, keys.partitionKey, keys.rowKey].join('/');
  }

  /** The texts of the controls; undefined, if there is no draft. */
  load(): Promise<Draft | undefined> {
    return this.#then(async () => {
      const stored = await this.#stored();
      this.#id = stored?.[ID] ?? this.#id;
      const left = this.#left();
      if (left) this.save(() => left);
      return left ?? stored;
    });
  }

  show(texts: Draft): void {
    this.#kept = () => texts;
    restore(this.#fields, texts);
  }

  /** Fills the form, and then shows what the draft had before, if there is one. */
  keepWhile(fill: () => void): void {
    const texts = this.#kept?.();
    fill();
    if (texts) restore(this.#fields, texts);
  }

  /** Keeps these texts: at once, unless it has kept others just before. */
  save(texts: () => Draft): void {
    this.#next = this.#unsaved = this.#kept = texts;
    if (this.#timer === undefined) this.flush();
  }

  /** Begins at once to keep what was to be kept. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const next = this.#next;
    this.#next = undefined;
    if (!next) return;
    this.#timer = setTimeout(() => this.flush(), PAUSE_MS);
    const texts = next();
    this.#then(async () => {
      await this.#write(texts);
      if (this.#unsaved === next) this.#forget();
    }).catch(reportError);
  }

  /** The page may end now. */
  leave(): void {
    if (this.#unsaved) {
      localStorage.setItem(this.#leftKey, JSON.stringify({ [ID]: this.#id, ...this.#unsaved() }));
    }
    this.flush();
  }

  remove(): Promise<void> {
    this.#next = this.#kept = undefined;
    this.#forget();
    return this.#then(async () => {
      const { partitionKey, rowKey } = this.#keys;
      try {
        await (await this.#table()).deleteEntity(partitionKey, rowKey);
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    });
  }

  async #stored(): Promise<Draft | undefined> {
    try {
      const { partitionKey, rowKey } = this.#keys;
      const entity = await (await this.#table()).getEntity(partitionKey, rowKey);
      const texts = Object.entries(entity).filter(([name]) => !SYSTEM.includes(name));
      return Object.fromEntries(
        texts.map(([name, text]) => [name.replace(OWN_KEY, '$1'), String(text)]),
      );
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** What an earlier page could not store, if it had this draft. */
  #left(): Draft | undefined {
    const left = localStorage.getItem(this.#leftKey);
    const texts = left === null ? undefined : (JSON.parse(left) as Draft);
    if (texts?.[ID] === this.#id) return texts;
    localStorage.removeItem(this.#leftKey);
    return undefined;
  }

  #forget(): void {
    this.#unsaved = undefined;
    localStorage.removeItem(this.#leftKey);
  }

  async #write(texts: Draft): Promise<void> {
    const table = await this.#table();
    const members: [string, string][] = Object.entries(texts)
      // No property holds a longer one.
      .filter(([, text]) => text.length <= MAX_STRING_LENGTH)
      .map(([name, text]) => [KEY.test(name) ? `$${name}` : name, text]);
    const own = { [ID]: this.#id, ...this.#keys };
    const entity: EntityKeys = { ...Object.fromEntries(members), ...own };
    try {
      await table.upsertEntity(entity, 'Replace');
    } catch (error) {
      if (!isMissing(error)) throw error;
      await table.createTable();
      await table.upsertEntity(entity, 'Replace');
    }
  }

  async #table() {
    return (await this.#account).tableClient(DRAFT_TABLE);
  }

  #then<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

// Controls of keys: the draft has keys of its own.
const KEY = /^(partition|row)Key$/;
const OWN_KEY = /^\$((partition|row)Key)$/;
// No property of an app has this name.
const ID = 'entitableDraftId';
const SYSTEM = ['partitionKey', 'rowKey', 'etag', 'timestamp'];

const isMissing = (error: unknown) =>
  isTableError(error) && /^(TableNotFound|ResourceNotFound)$/.test(error.code);
