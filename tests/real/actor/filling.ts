// filling.ts - shows a bound form, which a keyboard fills in.

import { bindForm } from '../../../js/src/forms.js';
import { messages } from '../../../js/src/forms/messages/en.js';
import { openAccount } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';

const guests = defineTable('Guests', {
  partitionKey: t.string(),
  rowKey: t.string(),
  name: t.string({ minLength: 2 }),
  chip: t.int64().optional(),
  weight: t.double({ exclusiveMinimum: 0 }),
  kind: t.string({ enum: ['dog', 'cat'] }),
  news: t.boolean(),
  note: t.string().optional(),
});

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

const KEYS = { partitionKey: 'guests', rowKey: 'first' };

const openStore = () => openAccount({ storage: indexedDbStorage('form'), wasm: '/entitable.wasm' });

export const filling = {
  /** Shows the form when it is bound. */
  async showForm(): Promise<void> {
    const table = (await openStore()).table(guests);
    await table.createTable();
    document.body.innerHTML = FORM;
    const bound = bindForm(document.querySelector('form'), guests, {
      ...{ values: KEYS, messages },
      onSubmit: (guest) => table.createEntity(guest),
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

  /** The guest that another account finds in the store. */
  async storedGuest() {
    const account = await openStore();
    try {
      const { partitionKey, rowKey } = KEYS;
      const guest = await account.table(guests).getEntity(partitionKey, rowKey);
      return { ...guest, chip: String(guest.chip) };
    } finally {
      await account.close();
    }
  },
};
