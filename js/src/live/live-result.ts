/**
 * The result of a query that is followed, and how it changes.
 *
 * @module
 */

/** The members that every entity of a result has. */
export interface LiveEntity {
  readonly etag: string;
  readonly partitionKey?: string;
  readonly rowKey?: string;
  /** Missing if only the keys are read. */
  readonly timestamp?: string;
}

/** How commits of one origin changed the result. */
export interface LiveChanges<E> {
  readonly inserted: E[];
  readonly updated: E[];
  readonly deleted: E[];
  /** The result was read as a whole: the changes since the last answer are not known. */
  readonly reset: boolean;
  readonly origin: 'local' | 'remote' | undefined;
}

/** A result and its position in the commits. It is kept after the last follower has ended. */
export interface LiveResult<E> {
  entities: readonly E[];
  position?: string | undefined;
  /** Whether more entities match, after the last one of the result. */
  hasMore?: boolean | undefined;
}

/** Entities that commits changed, and those of them whose last change was made by sync. */
export interface News<E> {
  readonly entities: readonly E[];
  readonly remote: ReadonlySet<E>;
}

/** The result after one answer. Without changes, it is the known result. */
export interface NextResult<E> {
  readonly entities: readonly E[];
  readonly hasMore?: boolean | undefined;
  readonly changes: readonly LiveChanges<E>[];
}

/** Compares keys as the service does, by UTF-16 units. */
export function order(one: LiveEntity, other: LiveEntity): number {
  const compare = (a = '', b = '') => (a < b ? -1 : a > b ? 1 : 0);
  return compare(one.partitionKey, other.partitionKey) || compare(one.rowKey, other.rowKey);
}

/** Work that yields between its parts, so that the caller can give up its turn there. */
export type Parts<T> = Generator<void, T>;

// Of entities. A part takes less than 1 ms, also before the code is optimized.
const PART = 1000;

// The index of the first entity, from `at` on, that is not before `entity`. The steps double until
// they pass it. So neighbours are found at once, and one entity of many in few comparisons.
function placeOf<E extends LiveEntity>(known: readonly E[], entity: E, at: number): number {
  let end = at;
  for (let step = 1; end < known.length && order(known[end]!, entity) < 0; step *= 2) {
    at = end + 1;
    end += step;
  }
  end = Math.min(end, known.length);
  while (at < end) {
    const middle = (at + end) >> 1;
    if (order(known[middle]!, entity) < 0) at = middle + 1;
    else end = middle;
  }
  return at;
}

const keysOf = <E extends LiveEntity>({ etag, partitionKey, rowKey }: E) =>
  ({ etag, partitionKey, rowKey }) as E;

/** The result after the changes, in any order. The core reports some thousands of them at most. */
export function* withChanges<E extends LiveEntity>(
  known: readonly E[],
  { entities: news, remote }: News<E>,
  onlyKeys: boolean,
): Parts<NextResult<E>> {
  // An entity that was reported more than once counts once: every report has its newest state,
  // and the first one has its newest origin.
  const sorted = [...news]
    .sort(order)
    .filter((entity, at, all) => at === 0 || order(all[at - 1]!, entity) !== 0);
  const entities: E[] = [];
  const [ofLocal, ofRemote] = [noChanges<E>('local'), noChanges<E>('remote')];
  let at = 0;
  function* keepUpTo(end: number): Parts<void> {
    for (; at < end; at++) if (entities.push(known[at]!) % PART === 0) yield;
  }
  for (const entity of sorted) {
    yield* keepUpTo(placeOf(known, entity, at));
    const before = knownAt(known, at, entity);
    if (before) at++;
    const { inserted, updated, deleted } = remote.has(entity) ? ofRemote : ofLocal;
    if (before?.etag === entity.etag) {
      entities.push(before);
    } else if (entity.timestamp) {
      entities.push(onlyKeys ? keysOf(entity) : entity);
      (before ? updated : inserted).push(entity);
    } else if (before) {
      deleted.push(before);
    }
  }
  const changes = [ofLocal, ofRemote].filter(
    ({ inserted, updated, deleted }) => inserted.length + updated.length + deleted.length > 0,
  );
  if (changes.length === 0) return { entities: known, changes };
  yield* keepUpTo(known.length);
  return { entities, changes };
}

// The known entity of the same keys, if it is in this place.
function knownAt<E extends LiveEntity>(known: readonly E[], at: number, entity: E): E | undefined {
  const found = known[at];
  return found && order(found, entity) === 0 ? found : undefined;
}

const noChanges = <E>(origin: LiveChanges<E>['origin']): LiveChanges<E> => ({
  inserted: [],
  updated: [],
  deleted: [],
  reset: !origin,
  origin,
});

/** Finds the known entity of the same keys. */
export type Finder<E> = (entity: E) => E | undefined;

/** For entities in the order of the keys, which must be asked for in this order. */
export function finderByKeys<E extends LiveEntity>(known: readonly E[]): Finder<E> {
  let at = 0;
  return (entity) => {
    at = placeOf(known, entity, at);
    return knownAt(known, at, entity) && known[at++];
  };
}

/** For entities in any order. */
export function* finderInAnyOrder<E extends LiveEntity>(known: readonly E[]): Parts<Finder<E>> {
  const places = new Map<string, E>();
  for (const [at, entity] of known.entries()) {
    if (at % PART === PART - 1) yield;
    places.set(textOfKeys(entity), entity);
  }
  return (entity) => places.get(textOfKeys(entity));
}

/** A result that is read again, a page at a time. An unchanged entity stays the same object. */
export class NewReading<E extends LiveEntity> {
  readonly #result: Readonly<LiveResult<E>>;
  readonly #find: Finder<E>;
  readonly #entities: E[] = [];
  #isSame: boolean;

  constructor(result: Readonly<LiveResult<E>>, find: Finder<E>) {
    this.#result = result;
    this.#find = find;
    this.#isSame = result.position !== undefined;
  }

  get length(): number {
    return this.#entities.length;
  }

  add(page: readonly E[]): void {
    for (const entity of page) {
      const before = this.#find(entity);
      const next = before?.etag === entity.etag ? before : entity;
      this.#isSame &&= next === this.#result.entities[this.length];
      this.#entities.push(next);
    }
  }

  /** The known result, if all entities are the same. */
  end(hasMore: boolean): NextResult<E> {
    const { entities: known } = this.#result;
    const isSame = this.#isSame && known.length === this.length;
    const entities = isSame ? known : this.#entities;
    return { entities, hasMore, changes: [noChanges<E>(undefined)] };
  }
}

/** Whether the result does not show all of these changes yet. */
export function* isOutdated<E extends LiveEntity>(
  known: readonly E[],
  news: readonly E[],
): Parts<boolean> {
  if (news.length === 0) return false;
  const newest = new Map(news.map((entity) => [textOfKeys(entity), entity]));
  // Most row keys differ. So few known entities need a text of both keys.
  const rowKeys = new Set(news.map(({ rowKey }) => rowKey));
  const found = new Set<E>();
  for (const [at, entity] of known.entries()) {
    if (at % PART === PART - 1) yield;
    const now = rowKeys.has(entity.rowKey) && newest.get(textOfKeys(entity));
    if (!now) continue;
    if (!now.timestamp || now.etag !== entity.etag) return true;
    found.add(now);
  }
  return [...newest.values()].some((entity) => entity.timestamp && !found.has(entity));
}

// No key has this character.
const textOfKeys = ({ partitionKey, rowKey }: LiveEntity) => `${partitionKey}\0${rowKey}`;
