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
  hasMore?: boolean;
}

/** The first entities that match. */
export interface FirstEntities<E> {
  readonly entities: readonly E[];
  readonly hasMore: boolean;
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

// Walks over both lists, which have the same order. `visit` gets each entity of `news` with the
// known entity of the same keys.
function walk<E extends LiveEntity>(
  known: readonly E[],
  news: readonly E[],
  pass: (entity: E) => void,
  visit: (entity: E, known: E | undefined) => void,
): void {
  let at = 0;
  for (const entity of news) {
    while (at < known.length && order(known[at]!, entity) < 0) pass(known[at++]!);
    const isKnown = at < known.length && order(known[at]!, entity) === 0;
    visit(entity, isKnown ? known[at++] : undefined);
  }
  while (at < known.length) pass(known[at++]!);
}

const keysOf = <E extends LiveEntity>({ etag, partitionKey, rowKey }: E) =>
  ({ etag, partitionKey, rowKey }) as E;

/** The result after the changes, which come in any order. */
export function withChanges<E extends LiveEntity>(
  result: Readonly<LiveResult<E>>,
  { entities: news, remote }: News<E>,
  onlyKeys: boolean,
): NextResult<E> {
  const sorted = [...news].sort(order);
  const entities: E[] = [];
  const [ofLocal, ofRemote] = [noChanges<E>('local'), noChanges<E>('remote')];
  walk(
    result.entities,
    // An entity that was reported more than once counts once: every report has its newest state,
    // and the first one has its newest origin.
    sorted.filter((entity, at) => at === 0 || order(sorted[at - 1]!, entity) !== 0),
    (entity) => entities.push(entity),
    (entity, known) => {
      const { inserted, updated, deleted } = remote.has(entity) ? ofRemote : ofLocal;
      if (known?.etag === entity.etag) {
        entities.push(known);
      } else if (entity.timestamp) {
        entities.push(onlyKeys ? keysOf(entity) : entity);
        (known ? updated : inserted).push(entity);
      } else if (known) {
        deleted.push(known);
      }
    },
  );
  const changes = [ofLocal, ofRemote].filter(
    ({ inserted, updated, deleted }) => inserted.length + updated.length + deleted.length > 0,
  );
  return { entities: changes.length > 0 ? entities : result.entities, changes };
}

const noChanges = <E>(origin: LiveChanges<E>['origin']): LiveChanges<E> => ({
  inserted: [],
  updated: [],
  deleted: [],
  reset: !origin,
  origin,
});

/** The result after it was read again. An entity that did not change stays the same object. */
export function replaced<E extends LiveEntity>(
  result: Readonly<LiveResult<E>>,
  { entities: news, hasMore }: FirstEntities<E>,
): NextResult<E> {
  const entities: E[] = [];
  let isSame = result.position !== undefined;
  walk(
    result.entities,
    news,
    () => (isSame = false),
    (entity, known) => {
      const hasChanged = known?.etag !== entity.etag;
      if (hasChanged) isSame = false;
      entities.push(hasChanged ? entity : known!);
    },
  );
  return {
    entities: isSame ? result.entities : entities,
    hasMore,
    changes: [noChanges<E>(undefined)],
  };
}

/** Whether the entities match now, or are in the result. */
export function concerns<E extends LiveEntity>(
  { entities: known }: Readonly<LiveResult<E>>,
  { entities }: News<E>,
): boolean {
  const keys = new Set(known.map(textOfKeys));
  return entities.some((entity) => entity.timestamp !== undefined || keys.has(textOfKeys(entity)));
}

/** As {@link replaced}, for a result in any order. */
export function reordered<E extends LiveEntity>(
  { entities: last, position }: Readonly<LiveResult<E>>,
  { entities: news, hasMore }: FirstEntities<E>,
): NextResult<E> {
  const known = new Map(last.map((entity) => [textOfKeys(entity), entity]));
  const entities = news.map((entity) => {
    const before = known.get(textOfKeys(entity));
    return before?.etag === entity.etag ? before : entity;
  });
  const isSame =
    position !== undefined &&
    entities.length === last.length &&
    entities.every((entity, at) => entity === last[at]);
  return { entities: isSame ? last : entities, hasMore, changes: [noChanges<E>(undefined)] };
}

// No key has this character.
const textOfKeys = ({ partitionKey, rowKey }: LiveEntity) => `${partitionKey}\0${rowKey}`;
