// support.ts - a table with one entity, and a page to show it in.

import { onTestFinished, vi } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';

export interface Pet {
  name: string;
}

export const pet = (rowKey: string, name = rowKey) => ({ partitionKey: 'p', rowKey, name });

/** The entities as the components of these tests show them. */
export const shown = ({
  entities,
  isLoaded,
  isStale,
}: {
  readonly entities: readonly { readonly name?: unknown }[];
  readonly isLoaded: boolean;
  readonly isStale: boolean;
}) =>
  `${isLoaded ? entities.map(({ name }) => name).join() : 'loading'}${isStale ? ' (stale)' : ''}`;

/** Opens an account whose table of pets has the pet `a`. */
export async function openPets() {
  const account = await openForTest({ storage: memoryStorage() });
  const table = account.tableClient<Pet>('Pets');
  await table.createTable();
  await table.createEntity(pet('a'));
  return { account, table };
}

/** A declared table: a row without a name has one when it is read. */
export const declared = defineTable('Pets', {
  partitionKey: t.string(),
  rowKey: t.string(),
  name: t.string().default('nameless'),
  weight: t.double().optional(),
});

/** The same with an entity without a name. */
export async function openNameless() {
  const { account, table } = await openPets();
  await account.tableClient('Pets').createEntity({ partitionKey: 'p', rowKey: 'b' });
  return { account, table };
}

/** Counts the live results of an account that are followed. */
export function followersOf(table: TableClient<Pet>): () => number {
  const { session } = table.requests;
  let open = 0;
  // A request has two forms: the answer of one may be there at once.
  const real = session.answer.bind(session);
  const count: typeof real = (operation, ...others) => {
    const answer = real(operation, ...others);
    if (operation.kind !== 'awaitChanges') return answer;
    open++;
    return Promise.resolve(answer).finally(() => open--);
  };
  const spies = [
    vi.spyOn(session, 'answer').mockImplementation(count),
    vi.spyOn(session, 'request').mockImplementation(async (...all) => await count(...all)),
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
