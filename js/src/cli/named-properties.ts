/**
 * The properties that a query names. A table has no schema, so the store takes any name, and a
 * misspelt one finds nothing.
 *
 * @module
 */

import type { TableServiceClient } from '../client/table-service-client.js';
import { count, type Aggregates } from '../entity/aggregates.js';
import { apiName } from '../entity/json.js';
import { columnOf, propertyOf } from './aggregate-terms.js';
import { isLocal, type ReadAccount } from './place.js';
import { filterNotes, missingNote, searchNotes } from './query-notes.js';
import type { Groups, QueryArguments } from './query-usage.js';
import type { Row } from './rows.js';

// Every entity has them; the star is no name.
const KNOWN = ['partitionKey', 'rowKey', 'timestamp', 'etag', '*'];
// An aggregate takes 64 counts at once.
const MOST_NAMES = 63;
// So many entities say which names there are.
const SAMPLE = 100;

const isMissing = (value: unknown) => value === undefined || value === null;

/** The named properties that no result has shown. */
export class NamedProperties {
  readonly #query: QueryArguments;
  readonly #unseen: Set<string>;

  constructor(query: QueryArguments) {
    const { select = [], orderBy = [], search, groups } = query;
    const names = [
      ...select.map(apiName),
      ...orderBy.map(propertyOf),
      ...(search ? [search.property] : []),
      ...(groups ? groups.by.map(propertyOf) : []),
      ...Object.values(groups?.select ?? {}).flatMap(({ name }) => name ?? []),
    ];
    this.#query = query;
    this.#unseen = new Set(names.filter((name) => !KNOWN.includes(name)));
  }

  /** Takes an entity that was found. */
  seeEntity(entity: Row): void {
    const { search } = this.#query;
    if (search) this.#unseen.delete(search.property);
    for (const name of this.#unseen) if (!isMissing(entity[name])) this.#unseen.delete(name);
  }

  /** Takes a group. */
  seeGroup(group: Row, { by, select }: Pick<Groups, 'by' | 'select'>): void {
    for (const term of by) {
      if (!isMissing(group[columnOf(term)])) this.#unseen.delete(propertyOf(term));
    }
    for (const [column, { name, function: kind }] of Object.entries(select)) {
      // A count of 0 and null say that there was nothing to calculate of. A histogram may be empty.
      const isSeen = kind !== 'histogram' && Boolean(group[column]);
      if (isSeen && name !== undefined) this.#unseen.delete(name);
    }
  }

  /**
   * Returns a line for each property that none of the selected entities has. If there may be none,
   * it says what is wrong with the filter. A folder is asked; of a storage account, only the
   * entities that were found are known.
   *
   * @param isWhole - whether these are all.
   */
  async notes(account: ReadAccount, found: number, isWhole: boolean): Promise<string[]> {
    const { table, filter, groups, search } = this.#query;
    const selected = filter === undefined ? '' : ' that the filter selects';
    if (!isLocal(account)) {
      const none = isWhole ? `no entity${selected} has` : 'none of these entities has';
      return found === 0 ? [] : [...this.#unseen].map((name) => missingNote(none, name, []));
    }
    // Aggregates of all entities are there even if there is no entity.
    const isEmpty = found === 0 || groups?.by.length === 0;
    const ofFilter = isEmpty && filter ? await filterNotes(account, this.#query) : [];
    if (this.#unseen.size === 0) return ofFilter;
    const { names, others } = await this.#missingIn(account);
    const ofNames = names.map((name) => missingNote(`no entity${selected} has`, name, others));
    const isSearched = search && found === 0 && !names.includes(search.property);
    const ofSearch = isSearched ? await searchNotes(account, table, search.property) : [];
    return [...ofFilter, ...ofNames, ...ofSearch];
  }

  // Those that no selected entity has, and names that some have.
  async #missingIn(account: TableServiceClient) {
    const { table, filter, dialect } = this.#query;
    const unseen = [...this.#unseen].slice(0, MOST_NAMES);
    const counts = unseen.map((name, at) => [`n${at}`, count(name)] as const);
    const select: Aggregates = { all: count(), ...Object.fromEntries(counts) };
    const client = account.tableClient(table);
    const [counted] = (await client.aggregate({ filter, dialect, select })) as Row[];
    // Of no entities, there is nothing to say.
    const names = counted!['all'] ? unseen.filter((_, at) => counted![`n${at}`] === 0) : [];
    const others = new Set<string>();
    if (names.length > 0) {
      for await (const entity of client.listEntities({ filter, dialect, top: SAMPLE })) {
        for (const name of Object.keys(entity)) others.add(name);
      }
    }
    return { names, others: [...others] };
  }
}
