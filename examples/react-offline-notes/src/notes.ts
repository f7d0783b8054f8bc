// The table of notes, and the account that keeps it in this browser.

import { defineTable, or, t, whereExtended } from 'entitable/schema';
import { indexedDbStorage } from 'entitable/storage/indexeddb';
import { openAccount, type RowOf } from 'entitable/sync';

export const notes = defineTable(
  'Notes',
  {
    id: t.id({ newestFirst: true }),
    title: t.string({ maxLength: 100 }),
    text: t.text().optional(),
    tags: t.array(t.string({ maxLength: 30 })).default([]),
    image: t.blob({ maxBytes: 500_000 }).optional(),
  },
  { key: 'id' },
);

export type Note = RowOf<typeof notes>;

export const opened = openAccount({
  storage: indexedDbStorage('notes'),
  tables: { notes },
  sync: true, // Sync begins when the user has entered an address: see cloud.ts.
});

/** Finds notes by a part of their title or text, in any case, or by a tag. */
export function matching(words: string) {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return undefined;
  return whereExtended(notes, ({ title, text, tags }) =>
    or(title.toLower().contains(wanted), text.toLower().contains(wanted), tags.has(wanted)),
  ).filter;
}
