// model.ts - accounts as maps: what writes do to them, in the words of the service.

import { ticksOf, type Value } from './values.js';

export type Mode = 'Merge' | 'Replace';

/** A value to write, which names its type or is plain. */
export interface GivenValue {
  readonly value: Value;
  readonly isPlain: boolean;
}

export interface Keys {
  readonly partitionKey: string;
  readonly rowKey: string;
}

export interface Given extends Keys {
  readonly properties: ReadonlyMap<string, GivenValue>;
}

/** A write of one entity. */
export type Action =
  | ({ kind: 'create' } & Given)
  | ({ kind: 'update'; mode: Mode; etag?: string | undefined } & Given)
  | ({ kind: 'upsert'; mode: Mode } & Given)
  | ({ kind: 'delete'; etag?: string | undefined } & Keys);

export type Write = Action | { kind: 'transaction'; actions: readonly Action[] };

/** A stored entity. It never changes. Its etag is undefined until it was seen. */
export interface Entity extends Keys {
  readonly properties: ReadonlyMap<string, Value>;
  readonly etag: string | undefined;
}

/** Why a write is refused, and which action of a transaction is the reason. */
export interface Refusal {
  readonly code: string;
  readonly index?: number;
}

export const keyOf = ({ partitionKey, rowKey }: Keys): string =>
  JSON.stringify([partitionKey, rowKey]);

const orderOf = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** The order of the service: by UTF-16 units, as JavaScript compares texts. */
export const compareKeys = (a: Keys, b: Keys): number =>
  orderOf(a.partitionKey, b.partitionKey) || orderOf(a.rowKey, b.rowKey);

/** The time in an etag. */
export function timeOf(etag: string): Value {
  const text = /'(.*)'/.exec(decodeURIComponent(etag))![1]!;
  return { type: 'DateTime', value: text };
}

/** The value of an entity under a name of filters. */
export function valueIn(entity: Entity, name: string): Value | undefined {
  if (name === 'PartitionKey') return { type: 'String', value: entity.partitionKey };
  if (name === 'RowKey') return { type: 'String', value: entity.rowKey };
  if (name === 'Timestamp') return timeOf(entity.etag!);
  return entity.properties.get(name);
}

export class Model {
  readonly tables: ReadonlyMap<string, Map<string, Entity>>;
  // Not in the service: a plain Int32 becomes a Double where an update finds one.
  readonly #keepsDoubles: boolean;

  constructor(
    tables: ReadonlyMap<string, Map<string, Entity>> = new Map(),
    { keepsDoubles = true } = {},
  ) {
    this.#keepsDoubles = keepsDoubles;
    this.tables = new Map(Array.from(tables, ([name, table]) => [name, new Map(table)]));
  }

  copy(): Model {
    return new Model(this.tables, { keepsDoubles: this.#keepsDoubles });
  }

  createTable(name: string): void {
    if (!this.tables.has(name)) (this.tables as Map<string, unknown>).set(name, new Map());
  }

  deleteTable(name: string): void {
    (this.tables as Map<string, unknown>).delete(name);
  }

  /** The entities of a table in the order of their keys. */
  entities(table: string): Entity[] {
    return [...(this.tables.get(table)?.values() ?? [])].sort(compareKeys);
  }

  /** Whether the times of all entities are known. */
  knowsTimes(table: string): boolean {
    return this.entities(table).every(({ etag }) => etag !== undefined);
  }

  /** Carries out a write. If it is refused, nothing has changed. */
  write(table: string, write: Write): Refusal | undefined {
    const stored = this.tables.get(table);
    const isOne = write.kind !== 'transaction';
    if (!stored) return { code: 'TableNotFound', ...(!isOne && { index: 0 }) };
    if (isOne) {
      const code = act(stored, write, this.#keepsDoubles);
      return code === undefined ? undefined : { code };
    }
    const copy = new Map(stored);
    for (const [index, action] of write.actions.entries()) {
      const code = act(copy, action, this.#keepsDoubles);
      if (code !== undefined) return { code, index };
    }
    (this.tables as Map<string, Map<string, Entity>>).set(table, copy);
    return undefined;
  }

  /** Forgets all etags, because entities may have been written anew. */
  forget(): void {
    for (const table of this.tables.values()) {
      for (const [key, entity] of table) table.set(key, { ...entity, etag: undefined });
    }
  }

  /** Remembers the etag that a write or a read has returned. */
  learn(table: string, keys: Keys, etag: string | undefined): void {
    const stored = this.tables.get(table)!;
    const entity = stored.get(keyOf(keys));
    if (entity) stored.set(keyOf(keys), { ...entity, etag });
  }
}

function act(
  table: Map<string, Entity>,
  action: Action,
  keepsDoubles: boolean,
): string | undefined {
  const key = keyOf(action);
  const old = table.get(key);
  if (action.kind === 'create' && old) return 'EntityAlreadyExists';
  if ((action.kind === 'update' || action.kind === 'delete') && !old) return 'ResourceNotFound';
  const isConditional = 'etag' in action && action.etag !== undefined;
  if (isConditional && action.etag !== old?.etag) return 'UpdateConditionNotSatisfied';
  if (action.kind === 'delete') table.delete(key);
  else table.set(key, written(action, old, keepsDoubles));
  return undefined;
}

function written(
  action: Exclude<Action, { kind: 'delete' }>,
  old: Entity | undefined,
  keepsDoubles: boolean,
): Entity {
  const { partitionKey, rowKey } = action;
  const isMerge = action.kind !== 'create' && action.mode === 'Merge';
  const properties = new Map(isMerge ? old?.properties : undefined);
  for (const [name, { value, isPlain }] of action.properties) {
    const isKept =
      keepsDoubles &&
      isPlain &&
      value.type === 'Int32' &&
      old?.properties.get(name)?.type === 'Double';
    properties.set(name, isKept ? { type: 'Double', value: value.value } : value);
  }
  return { partitionKey, rowKey, properties, etag: undefined };
}

/** Whether one entity was written after another. */
export const isLater = (etag: string, before: string): boolean =>
  ticksOf(timeOf(etag).value as string) > ticksOf(timeOf(before).value as string);
