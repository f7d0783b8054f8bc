/**
 * Conflicts that the app resolves.
 *
 * @module
 */

import { invalidInput, isTableError, remade, type TableError } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import { entityToJson } from '../entity/json.js';
import { sentOf } from '../entity/operations.js';
import { plainEntity } from '../remote/values.js';
import type { Undecided } from './decisions.js';
import { keysText } from './failures.js';
import type { ConflictResolver, ResolvedConflict, SyncConflict, SyncedEntity } from './models.js';
import type { ConflictGroup, ConflictRow, StepAnswer, SyncSteps } from './steps.js';

type Row = Omit<SyncConflict, 'group'>;
type Keys = Pick<Row, 'partitionKey' | 'rowKey'>;
type Step = (decisions: string | undefined) => Promise<StepAnswer>;

// An entity that the core has written as OData JSON; undefined for null.
const entityIn = (json: object | null): SyncedEntity | undefined =>
  json === null ? undefined : (plainEntity(json as Record<string, unknown>) as SyncedEntity);

/**
 * Takes a step, again and again with the decisions of the app, until no conflict is left. A row may
 * change while the app decides: then the app is asked again.
 *
 * @param resolve - undefined, if the core resolves conflicts.
 * @param undecided - the rows that the app has not decided in this round. It is not asked for them
 * again, and further ones are added.
 * @returns the last answer. If the resolver has failed, also its first error. The answer then has
 * the conflicts for which it has failed.
 */
export async function withDecisions(
  table: string,
  resolve: ConflictResolver | undefined,
  undecided: Undecided,
  step: Step,
): Promise<{ answer: StepAnswer; error?: unknown }> {
  let answer = await step(undefined);
  let failure: { readonly error: unknown } | undefined;
  const leave = (group: ConflictGroup, error: unknown) => {
    undecided.add(nameOf(group));
    failure ??= { error };
  };
  let isOneByOne = false;
  while (resolve) {
    const open = (answer.conflicts ?? []).filter((group) => !undecided.has(nameOf(group)));
    if (open.length === 0) break;
    const groups = isOneByOne ? open.slice(0, 1) : open;
    let decisions = '';
    for (const group of groups) {
      try {
        decisions += await decisionFor(table, group, resolve);
      } catch (error) {
        leave(group, error);
      }
    }
    if (decisions === '') continue;
    try {
      answer = await step(decisions);
    } catch (error) {
      if (!isBadEntity(error)) throw error;
      // Of one group alone, it is known which result the core cannot store.
      if (groups.length === 1) leave(groups[0]!, ofResult(table, rowIn(groups[0]!), error));
      isOneByOne = true;
    }
  }
  return { answer, ...failure };
}

// The rows, whichever step has found the conflict.
const nameOf = ({ rows }: ConflictGroup) =>
  JSON.stringify(rows.map(({ partitionKey, rowKey }) => [partitionKey, rowKey]));

const isBadEntity = (error: unknown): error is TableError =>
  isTableError(error) && [400, 413].includes(error.statusCode);

const rowIn = ({ rows }: ConflictGroup) => rows.find(({ isConflict }) => isConflict)!;

function ofResult(table: string, { partitionKey, rowKey }: Keys, error: TableError) {
  const sentence = `The option conflict returned this for table ${shown(table)}, ${keysText(partitionKey, rowKey)}.`;
  return remade(error, { sentence });
}

// A line that names the conflicts, and a line for each row: `{}`, if it is to be absent.
async function decisionFor(table: string, { of, rows }: ConflictGroup, resolve: ConflictResolver) {
  const group = rows.map((row) => conflictOf(table, row));
  const lines = [JSON.stringify({ of })];
  for (const [index, conflict] of group.entries()) {
    const { isConflict } = rows[index]!;
    const { local = null } = conflict;
    const result: unknown = isConflict ? await resolve({ ...conflict, group }) : local;
    if (result !== null && !isRow(result, conflict)) throw badResult(conflict, result);
    lines.push(result === null ? '{}' : lineOf(result, conflict));
  }
  return `${lines.join('\n')}\n`;
}

function lineOf(result: SyncedEntity, conflict: Row) {
  try {
    return entityToJson(sentOf(result));
  } catch (error) {
    // Of the values of the result: a getter of it may throw anything.
    throw isTableError(error) ? ofResult(conflict.table, conflict, error) : error;
  }
}

// An object without the keys of the row may be anything, such as a part of the entity.
function isRow(result: unknown, { partitionKey, rowKey }: Row): result is SyncedEntity {
  if (!isObject(result)) return false;
  const row = result as Partial<SyncedEntity>;
  return row.partitionKey === partitionKey && row.rowKey === rowKey;
}

function badResult({ table, partitionKey, rowKey }: Row, result: unknown) {
  const row = `table ${shown(table)}, ${keysText(partitionKey, rowKey)}`;
  const what = isObject(result) ? 'an object without these keys' : shown(result);
  return invalidInput(
    `The option conflict must return an entity with the keys of the row, or null, not ${what}: ${row}.`,
  );
}

function conflictOf(table: string, row: ConflictRow): Row {
  const { partitionKey, rowKey } = row;
  const [base, local, remote] = [row.base, row.local, row.remote].map(entityIn);
  return { table, partitionKey, rowKey, base, local, remote };
}

/** A resolved conflict as the core has stored it. Rows are OData JSON; null: there is none. */
export interface StoredConflict {
  readonly id: string;
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly base: object | null;
  readonly local: object | null;
  readonly remote: object | null;
  readonly result: object | null;
}

/** The conflicts of a table that were resolved and not confirmed, the oldest first. */
export async function resolvedConflicts(steps: SyncSteps): Promise<ResolvedConflict[]> {
  const all: ResolvedConflict[] = [];
  for (let number = '0'; ;) {
    const { conflicts } = await steps.take('conflicts', { number });
    const some = conflicts as unknown as readonly StoredConflict[];
    if (some.length === 0) return all;
    for (const { base, local, remote, result, ...key } of some) {
      const [was, mine, theirs, became] = [base, local, remote, result].map(entityIn);
      const values = { base: was, local: mine, remote: theirs, result: became };
      all.push({ table: steps.table, ...key, ...values });
      number = key.id;
    }
  }
}
