/**
 * `$select` of a query over several shards. The router needs the keys of every entity; the client
 * gets what it has asked for.
 *
 * @module
 */

import { feedText, withoutMembers, type Feed } from './feed.js';

/** What is asked of the shards, and what the client gets of it. */
export interface Selection {
  /** `$select` for the shards; undefined, if the request stays as it is. */
  readonly asked: string | undefined;
  /** The page for the client. */
  readonly page: (feed: Feed) => string;
}

const KEYS = ['PartitionKey', 'RowKey'];

/** @param select - as sent; undefined, if the query has none. */
export function selectionOf(select: string | undefined): Selection {
  const names = (select ?? '').split(',').map((name) => name.trim());
  const selectsAll = names.length === 1 && ['', '*'].includes(names[0]!);
  const added = selectsAll ? [] : KEYS.filter((key) => !names.includes(key));
  if (added.length === 0) return { asked: undefined, page: feedText };
  const end = `,${added.join()}`;
  return {
    asked: `${select}${end}`,
    page: ({ head, entities }) =>
      feedText({
        // The address of the metadata ends with $select.
        head: head.replace(`${end}",`, '",'),
        entities: entities.map((entity) => withoutMembers(entity, added)),
      }),
  };
}
