/**
 * The properties that a query names. A table has no schema, so the store takes any name, and a
 * misspelt one finds nothing.
 *
 * @module
 */

import { apiName } from '../../base/system-names.js';
import type { TableServiceClient } from '../../client/table-service-client.js';
import { count, type Aggregates } from '../../entity/aggregates.js';
import type { Row } from '../../formats/rows.js';
import { isLocal, type ReadAccount } from '../account/place.js';
import { columnOf, propertyOf } from './aggregate-terms.js';
import { filterNotes, missingNote, searchNotes } from './query-notes.js';
import type { Groups, QueryArguments } from './query-usage.js';

// Every entity has them; the star is no name.
const KNOWN = ['partitionKey', 'rowKey', 'timestamp', 'etag', '*'];
// An aggregate takes 64 results, and one counts all entities.
const MOST_NAMES = 63;
// How many entities are read to suggest a name.
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
      // 0 may also be a result; then one more query finds out. A histogram may be empty.
      const isSeen = kind !== 'histogram' && Boolean(group[column]);
      if (isSeen && name !== undefined) this.#unseen.delete(name);
    }
  }

  /**
   * Explains an empty result, and returns a line for each property that none of the selected
   * entities has. Over a folder, it runs more queries. Of a storage account, it knows only the
   * entities that were read.
   *
   * @param found - how many rows were printed.
   * @param hasAll - no entity was left out by `--top`.
   */
  async notes(account: ReadAccount, found: number, hasAll: boolean): Promise<string[]> {
    if (!isLocal(account)) return this.#notesOfRemote(found, hasAll);
    const ofFilter = await this.#notesOfFilter(account, found);
    return [...ofFilter, ...(await this.#notesOfNames(account, found))];
  }

  #notesOfRemote(found: number, hasAll: boolean): string[] {
    if (found === 0) return [];
    const subject = hasAll ? this.#noneSelected() : 'none of these entities has';
    return [...this.#unseen].map((name) => missingNote(subject, name, []));
  }

  // What is wrong with a filter that selects nothing.
  async #notesOfFilter(account: TableServiceClient, found: number): Promise<string[]> {
    if (!this.#query.filter || (await this.#isAnySelected(account, found))) return [];
    return await filterNotes(account, this.#query);
  }

  // Whether the filter selects an entity. A search and `--skip` may be why nothing was printed, and
  // aggregates of all entities are printed even if there is no entity.
  async #isAnySelected(account: TableServiceClient, found: number): Promise<boolean> {
    const { table, filter, dialect, skip, search, groups } = this.#query;
    const isOneGroup = groups?.by.length === 0;
    if (found > 0 && !isOneGroup) return true;
    if (!skip && !search && !isOneGroup) return false;
    const first = account.tableClient(table).listEntities({ filter, dialect, top: 1 });
    return !(await first.next()).done;
  }

  async #notesOfNames(account: TableServiceClient, found: number): Promise<string[]> {
    if (this.#unseen.size === 0) return [];
    const { table, search } = this.#query;
    const { names, others } = await this.#missingIn(account);
    const notes = names.map((name) => missingNote(this.#noneSelected(), name, others));
    const isSearched = search && found === 0 && !names.includes(search.property);
    return isSearched ? [...notes, ...(await searchNotes(account, table, search.property))] : notes;
  }

  #noneSelected(): string {
    return `no entity${this.#query.filter === undefined ? '' : ' that the filter selects'} has`;
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
