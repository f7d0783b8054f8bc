/**
 * Unsaved input of forms, in a table of the account.
 *
 * The table is `FormDrafts`. A draft is an entity of it: the PartitionKey is the name of the table
 * that the form is bound to, the RowKey the name of the draft. Each control that the user has
 * changed has a property of its name, with its text. Several pages may write one draft: the last
 * text of each control counts.
 *
 * A page may end before the account has stored the last texts. So they wait in `localStorage`, with
 * the ID of the draft in this account, until the form is bound again.
 *
 * @module
 */

import { MAX_STRING_LENGTH } from '../base/limits.js';
import type { EntityKeys } from '../entity/keys.js';
import { LeftTexts } from './draft-left.js';
import { DraftRow } from './draft-row.js';
import { setText } from './filling.js';
import type { Field } from './field.js';
import type { Fields } from './fields.js';
import type { DraftAccount } from './models.js';

// Typing does not write with each key stroke.
const PAUSE_MS = 400;

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
  const onInput = ({ target }: Event) => {
    const field = fields.at(target);
    if (field) draft.save([field]);
  };
  form.getRootNode().addEventListener('input', onInput, { signal });
  const leave = () => draft.leave();
  form.ownerDocument.addEventListener('visibilitychange', leave, { signal });
  form.ownerDocument.defaultView?.addEventListener('pagehide', leave, { signal });
  if (!signal.aborted) signal.addEventListener('abort', () => draft.flush());
  await draft.load();
  return draft;
}

// No password, file, code or number of a card.
const isKept = ({ controls, isHidden, isProperty }: Field) =>
  isProperty &&
  !isHidden &&
  controls.every(
    ({ type, autocomplete }) =>
      !/^(password|file)$/.test(type) && !/^off$|password|code|cc-/.test(autocomplete),
  );

// Work on one draft comes one after another, so that no save follows a removal, and a form that is
// bound again reads what it has kept before. By the account, and then by the keys.
const lastWorks = new WeakMap<object, Map<string, Promise<unknown>>>();

function afterOthers<T>(account: object, keys: EntityKeys, work: () => Promise<T>): Promise<T> {
  const works = lastWorks.get(account) ?? new Map<string, Promise<unknown>>();
  lastWorks.set(account, works);
  const name = JSON.stringify([keys.partitionKey, keys.rowKey]);
  const done = Promise.resolve(works.get(name)).then(work);
  works.set(
    name,
    done.catch(() => undefined),
  );
  return done;
}

/** The draft of one form. */
export class FormDraft {
  readonly #fields: Fields;
  readonly #row: DraftRow;
  readonly #left: LeftTexts;
  /** What this page has read from the draft, or written there. */
  readonly #known = new Map<string, string>();
  /** What no write has stored yet. */
  readonly #unsaved = new Map<string, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isChanged = false;
  readonly #then: <T>(work: () => Promise<T>) => Promise<T>;

  constructor(account: DraftAccount, keys: EntityKeys, fields: Fields) {
    this.#fields = fields;
    this.#row = new DraftRow(account, keys);
    this.#left = new LeftTexts(keys);
    this.#then = (work) => afterOthers(account, keys, work);
  }

  /** Shows the draft in the controls that the user has not changed, and saves the others. */
  async load(): Promise<void> {
    await this.#then(() => this.#row.read());
    for (const [name, text] of this.#row.texts) this.#known.set(name, text);
    const left = this.#left.read(this.#row.id);
    for (const [name, text] of left) this.#unsaved.set(name, text);
    this.#isChanged ||= left.size > 0;
    this.#restore((field) => !field.changed);
    this.save(this.#fields.all.filter(({ changed }) => changed));
  }

  #restore(isShown: (field: Field) => unknown = () => true): void {
    for (const field of this.#fields.all.filter(isKept).filter(isShown)) {
      const text = this.#unsaved.get(field.name) ?? this.#known.get(field.name);
      if (text === undefined) continue;
      setText(field.controls, () => text);
      field.read();
    }
  }

  /** Fills the form, and then shows what the draft had before, if there is one. */
  keepWhile(fill: () => void): void {
    fill();
    this.#restore();
  }

  /** Keeps the texts of these fields: at once, unless it has kept others just before. */
  save(fields: readonly Field[]): void {
    for (const field of fields.filter(isKept)) {
      this.#unsaved.set(field.name, field.text);
      this.#isChanged = true;
    }
    if (this.#timer === undefined) this.flush();
  }

  /** Begins at once to keep what was to be kept. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isChanged) return;
    this.#isChanged = false;
    this.#timer = setTimeout(() => this.flush(), PAUSE_MS);
    const texts = new Map(this.#unsaved);
    // No property holds a longer one. The shorter one before it stays.
    for (const [name, text] of texts) if (text.length > MAX_STRING_LENGTH) texts.delete(name);
    this.#then(() => this.#write(texts)).catch(reportError);
  }

  async #write(texts: ReadonlyMap<string, string>): Promise<void> {
    await this.#row.change((stored) => texts.forEach((text, name) => stored.set(name, text)));
    for (const [name, text] of texts) {
      this.#known.set(name, text);
      if (this.#unsaved.get(name) === text) this.#unsaved.delete(name);
    }
    this.#forgetLeft([...texts.keys()].filter((name) => !this.#unsaved.has(name)));
  }

  /** The page may end now. */
  leave(): void {
    this.flush();
    if (!this.#unsaved.size) return;
    this.#left.change(this.#row.id, (left) =>
      this.#unsaved.forEach((text, name) => left.set(name, text)),
    );
  }

  #forgetLeft(names: readonly string[]): void {
    this.#left.change(this.#row.id, (left) => names.forEach((name) => left.delete(name)));
  }

  /** Removes the draft, whoever has written it. */
  discard(): Promise<void> {
    this.#unsaved.clear();
    this.#left.remove();
    return this.#then(async () => {
      this.#known.clear();
      await this.#row.change((texts) => texts.clear());
    });
  }

  /**
   * Removes what this page has kept, but not what the user has changed since.
   *
   * @param changes - the number of changes until then.
   */
  removeUntil(changes: number): Promise<void> {
    return this.remove((name) => (this.#fields.get(name)?.changed ?? 0) <= changes);
  }

  /** Removes the texts of these names, but not what another page has kept since. */
  remove(isGone: (name: string) => boolean): Promise<void> {
    const names = [...this.#unsaved.keys()].filter(isGone);
    for (const name of names) this.#unsaved.delete(name);
    this.#forgetLeft(names);
    return this.#then(async () => {
      const known = [...this.#known].filter(([name]) => isGone(name));
      for (const [name] of known) this.#known.delete(name);
      await this.#row.change((texts) => {
        for (const [name, text] of known) if (texts.get(name) === text) texts.delete(name);
      });
    });
  }
}
