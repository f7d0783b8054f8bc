// support.ts - a table with one row, and a page to show it in.

import { onTestFinished, vi } from 'vitest';

import { count, openAccount, type TableServiceClient } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { TableOf } from '../../../js/src/tables/table.js';

/** A row without a name has one when it is read. */
export const pets = defineTable(
  'Pets',
  {
    kind: t.string(),
    id: t.string(),
    name: t.string().default('nameless'),
    weight: t.double().optional(),
  },
  { key: ['kind', 'id'] },
);

/** A table beside it. */
export const cats = defineTable('Cats', pets.properties, { key: ['kind', 'id'] });

export const pet = (id: string, name = id) => ({ kind: 'dog', id, name });

/** The rows as the components of these tests show them. */
export const shown = ({
  rows,
  isLoaded,
  isStale,
}: {
  readonly rows: readonly { readonly name: string }[];
  readonly isLoaded: boolean;
  readonly isStale: boolean;
}) => {
  const names = isLoaded || rows.length ? rows.map(({ name }) => name).join() : 'loading';
  return `${names}${isStale ? ' (stale)' : ''}`;
};

/** Opens an account whose table of pets has the pet `a`. */
export async function openPets() {
  const storage = memoryStorage();
  const account = await openAccount({ storage, tables: { pets, cats } });
  onTestFinished(async () => {
    await account.close();
    await storage.destroy();
  });
  const { pets: table } = account.tables;
  await table.insert(pet('a'));
  return { account, table, cats: account.tables.cats };
}

/** How many pets have each name. */
export const namesOf = (table: TableOf<typeof pets> | undefined) =>
  table?.liveAggregate({ groupBy: ['name'], select: { pets: count() } });

/** Counts the live results of an account that are followed. */
export function followersOf({ session }: Pick<TableServiceClient, 'session'>): () => number {
  let open = 0;
  // A request has two forms: the answer of one may be there at once.
  const real = session.answer.bind(session);
  const counted: typeof real = (operation, ...others) => {
    const answer = real(operation, ...others);
    if (operation.kind !== 'awaitChanges') return answer;
    open++;
    return Promise.resolve(answer).finally(() => open--);
  };
  const spies = [
    vi.spyOn(session, 'answer').mockImplementation(counted),
    vi.spyOn(session, 'request').mockImplementation(async (...all) => await counted(...all)),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  return () => open;
}

/** An element of the page, for the length of a test. */
export function makePlace(html = ''): HTMLElement {
  const place = document.createElement('div');
  place.innerHTML = html;
  document.body.append(place);
  onTestFinished(() => place.remove());
  return place;
}

/** Collects the texts that an element shows from now on, one after another. */
export function textsOf(place: HTMLElement): (string | null)[] {
  const texts: (string | null)[] = [];
  const observer = new MutationObserver(() => texts.push(place.textContent));
  observer.observe(place, { characterData: true, childList: true, subtree: true });
  onTestFinished(() => observer.disconnect());
  return texts;
}
