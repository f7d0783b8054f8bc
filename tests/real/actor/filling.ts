// filling.ts - shows a bound form, which a keyboard fills in.

import type * as Axe from 'axe-core';

import { bindForm } from '../../../js/src/forms.js';
import { messages } from '../../../js/src/forms/messages/en.js';
import { openAccount } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';

declare const axe: typeof Axe;

const guests = defineTable(
  'Guests',
  {
    id: t.string(),
    name: t.string({ minLength: 2 }),
    chip: t.int64().optional(),
    weight: t.double({ exclusiveMinimum: 0 }),
    kind: t.string({ enum: ['dog', 'cat'] }),
    news: t.boolean(),
    note: t.string().optional(),
  },
  { key: 'id' },
);

const FORM = `<form>
  <label>Name <input name="name"></label>
  <label>Chip <input name="chip"></label>
  <label>Weight <input name="weight" type="number"></label>
  <fieldset>
    <legend>Kind</legend>
    <label><input name="kind" type="radio" value="dog"> Dog</label>
    <label><input name="kind" type="radio" value="cat"> Cat</label>
  </fieldset>
  <label><input name="news" type="checkbox"> News</label>
  <label>Note <textarea name="note"></textarea></label>
  <button>Save</button>
</form>`;

const KEY = { id: 'first' };

const openStore = () =>
  openAccount({
    storage: indexedDbStorage('form'),
    wasm: '/entitable.wasm',
    tables: { guests },
  });

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${src} cannot be loaded.`));
    document.head.append(Object.assign(script, { src }));
  });
}

export const filling = {
  /** Shows the form when it is bound. */
  async showForm(): Promise<void> {
    const { guests: table } = (await openStore()).tables;
    document.body.innerHTML = FORM;
    const bound = bindForm(document.querySelector('form'), guests, {
      ...{ values: KEY, messages },
      onSubmit: (guest) => table.insert(guest),
    });
    await bound.ready;
  },

  /** The name of the control with the focus, and the messages on the screen. */
  seen() {
    const places = [...document.querySelectorAll<HTMLElement>('[data-error]')];
    const shown = places.filter((place) => place.checkVisibility() && place.innerText);
    const texts = shown.map((place) => [place.dataset['error']!, place.innerText] as const);
    const { name = '', localName = '' } = (document.activeElement ?? {}) as HTMLInputElement;
    return { focused: name || localName, messages: Object.fromEntries(texts) };
  },

  /** The names of the controls that styles can show as wrong. */
  userInvalid: () =>
    [...document.querySelectorAll<HTMLInputElement>('form :user-invalid')].map(({ name }) => name),

  /** The rules of axe that the form breaks. */
  async axeViolations(): Promise<string[]> {
    // Other pages do not need it, and workers cannot load it.
    if (!('axe' in globalThis)) await loadScript('axe.js');
    const { violations } = await axe.run('form');
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
  },

  /** The guest that another account finds in the store; undefined, if there is none. */
  async storedGuest() {
    const account = await openStore();
    try {
      const guest = await account.tables.guests.get(KEY);
      return guest && { ...guest, chip: String(guest.chip) };
    } finally {
      await account.close();
    }
  },
};
