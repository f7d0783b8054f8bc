// world.ts - accounts on one storage, and the models of what may be stored.
//
// There is one model, unless a write has an unknown outcome. Then there is one for each outcome,
// until a read of everything tells which is right.

import { expect } from 'vitest';

import { isTableError } from '../../../../js/src/base/errors.js';
import type { TableServiceClient } from '../../../../js/src/client/table-service-client.js';
import { collect } from '../accounts.js';
import { keyOf, Model, type Entity, type Refusal } from './model.js';
import type { Opener, Place } from './openers.js';
import { shown } from './queries.js';
import type { Below, Value } from './values.js';

export const TABLES = ['Pets', 'Logs'] as const;
const SYSTEM = ['partitionKey', 'rowKey', 'timestamp', 'etag'];
// The default, and too few for the pages that a query needs.
const CACHES = [undefined, 0, 70_000];
const MOST_OPENERS = 3;

/** How a write ended: well, refused by a rule, failed, or nobody knows. */
export type Ending =
  | { kind: 'ok'; etags: readonly (string | undefined)[] }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'failed' | 'unknown' };

const RULES = [
  'EntityAlreadyExists',
  'ResourceNotFound',
  'UpdateConditionNotSatisfied',
  'TableNotFound',
];

/** How a write ended that was rejected. Only what meets faults, or is moving, may fail. */
export function endingOf(error: unknown, { mortal }: Opener, isMoving = false): Ending {
  if (!isTableError(error)) throw error;
  const { code, details } = error;
  if (RULES.includes(code)) {
    const index = details.operationIndex;
    return { kind: 'refused', refusal: { code, ...(index !== undefined && { index }) } };
  }
  if (isMoving && code === 'ServerBusy') return { kind: 'failed' };
  if (!mortal) throw error;
  if (mortal.isDead) return { kind: 'unknown' };
  if (code === 'StorageOutcomeUnknown') return { kind: 'unknown' };
  if (code === 'StorageUnavailable') return { kind: 'failed' };
  throw error;
}

/** Entities as reads with `typed: true` return them. */
export type TypedRow = { partitionKey: string; rowKey: string; etag: string; timestamp: string };

/** An entity of a read. A selected property that is missing is null. */
export function entityOf(row: TypedRow): Entity {
  const { partitionKey, rowKey, etag } = row;
  const members = Object.entries(row as unknown as Record<string, Value | null>);
  const custom = members.filter(([name, value]) => !SYSTEM.includes(name) && value !== null);
  return { partitionKey, rowKey, etag, properties: new Map(custom as [string, Value][]) };
}

export class World {
  readonly below: Below;
  readonly place: Place;
  /** How many imports there were. */
  imports = 0;
  readonly openers: Opener[] = [];
  readonly oldEtags: string[] = [];
  models: Model[];
  // Entities that are on their way to another place get new etags.
  isMoving = false;
  // The one that has made the last write sees it without a fresh read.
  lastWriter: Opener | undefined;
  /** Called before an account is closed. */
  onClose: (opener: Opener) => void | Promise<void> = () => {};

  constructor(below: Below, place: Place) {
    this.below = below;
    this.place = place;
    this.models = [new Model(undefined, { keepsDoubles: !place.move })];
  }

  get model(): Model {
    expect(this.models).toHaveLength(1);
    return this.models[0]!;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  // ------------------------------------------------------------------- openers

  async open(): Promise<void> {
    if (this.openers.length === MOST_OPENERS) await this.close(this.of(this.openers));
    // The first one meets no faults.
    const isMortal = this.openers.length > 0 && this.below(2) === 0;
    const cacheBytes = this.of(CACHES);
    this.openers.push(await this.place.open(isMortal, { cacheBytes }));
  }

  async close(opener: Opener): Promise<void> {
    await this.onClose(opener);
    this.openers.splice(this.openers.indexOf(opener), 1);
    if (this.lastWriter === opener) this.lastWriter = undefined;
    const isDead = opener.mortal?.isDead;
    await opener.account.close().catch((error: unknown) => {
      if (!isDead) throw error;
    });
  }

  /** Any opener, and whether its reads must be fresh. */
  reader(): { account: TableServiceClient; fresh: boolean } {
    const opener = this.of(this.openers);
    return { account: opener.account, fresh: opener !== this.lastWriter || this.below(4) === 0 };
  }

  // -------------------------------------------------------------------- models

  /** Lets a write that has ended so happen to the models. */
  happen(
    table: string,
    ending: Ending,
    change: (model: Model) => Refusal | undefined,
    learn: (model: Model, etags: readonly (string | undefined)[]) => void,
  ): void {
    const after: Model[] = [];
    const expected: (Refusal | undefined)[] = [];
    for (const model of this.models) {
      if (ending.kind === 'failed' || ending.kind === 'unknown') after.push(model);
      if (ending.kind === 'failed') continue;
      const changed = model.copy();
      const refusal = change(changed);
      expected.push(refusal);
      if (ending.kind === 'ok' && !refusal) learn(changed, ending.etags);
      if (fitsEnding(ending, refusal)) after.push(changed);
    }
    const refused = ending.kind === 'refused' ? ending.refusal : ending.kind;
    expect(
      after.length,
      `a write to ${table} ended so: ${JSON.stringify(refused)}; expected: ${JSON.stringify(expected)}`,
    ).toBeGreaterThan(0);
    this.models = after;
  }

  /** Reads everything, keeps the model that is right, and learns etags. */
  async check(opener: Opener = this.of(this.openers)): Promise<void> {
    const seen = new Map<string, Entity[]>();
    const tables = await collect(opener.account.listTables({ fresh: true }));
    for (const { name } of tables) {
      const list = opener.account.tableClient(name!).listEntities({ typed: true, fresh: true });
      seen.set(name!, ((await collect(list)) as unknown as TypedRow[]).map(entityOf));
    }
    const right = this.models.find((model) => isSame(model, seen)) ?? this.models[0]!;
    expect([...seen.keys()]).toEqual([...right.tables.keys()].sort());
    for (const [name, entities] of seen) {
      expect(entities.map((entity) => shown(entity))).toEqual(
        right.entities(name).map((entity) => shown(entity)),
      );
      for (const entity of entities) this.#learn(right, name, entity);
    }
    this.models = [right];
  }

  #learn(model: Model, table: string, entity: Entity): void {
    const known = model.tables.get(table)!.get(keyOf(entity))!.etag;
    if (known !== undefined) expect(entity.etag, shown(entity)).toBe(known);
    else if (this.oldEtags.length < 50) this.oldEtags.push(entity.etag!);
    if (!this.isMoving) model.learn(table, entity, entity.etag);
  }
}

function fitsEnding(ending: Ending, refusal: Refusal | undefined): boolean {
  if (ending.kind !== 'refused') return !refusal;
  const { code, index } = ending.refusal;
  return refusal?.code === code && refusal.index === index;
}

function isSame(model: Model, seen: ReadonlyMap<string, Entity[]>): boolean {
  if (model.tables.size !== seen.size) return false;
  for (const [name, entities] of seen) {
    const expected = model.entities(name).map((entity) => shown(entity));
    if (expected.join('\n') !== entities.map((entity) => shown(entity)).join('\n')) return false;
  }
  return true;
}
