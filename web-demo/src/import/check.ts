/**
 * Checks every row before anything is stored.
 *
 * @module
 */

import { loadValidator, TableError, type Issue, type TableEntity, type Validator } from 'entitable';

import { FaultGroups, type FaultGroup } from '../../../js/src/formats/fault-groups.js';
import type { FileRow } from '../../../js/src/formats/cell.js';
import type { EntityMaker } from '../../../js/src/formats/row-plan.js';
import { PlainCheck } from './plain-entity.js';
import { makerOf, type ImportPlan } from './plan.js';
import type { RowFile, RowOrFault } from './row-file.js';

interface Fault extends Pick<TableError, 'code' | 'message'> {
  readonly broken?: Issue;
}

export interface CheckResult {
  /** The numbers of the rows that the service would refuse. An import leaves them out. */
  readonly refused: ReadonlySet<number>;
  /** The faults, grouped by their codes. A row has one, and its number is from 1 on. */
  readonly faults: readonly FaultGroup<Fault['code']>[];
  /** How many of them have each code. */
  readonly codes: ReadonlyMap<string, number>;
}

/** The code of a row that has the keys of an earlier one. */
export const SAME_KEYS = 'EntityAlreadyExists';

export interface CheckOptions {
  readonly signal: AbortSignal;
  readonly rows: number;
  onProgress(rows: number): void;
}

/** Finds the rows that break a rule of the service, or have the keys of an earlier row. */
export async function checkRows(
  file: RowFile,
  plan: ImportPlan,
  { signal, rows, onProgress }: CheckOptions,
): Promise<CheckResult> {
  const check = new Check(await loadValidator(), makerOf(plan, rows));
  for await (const batch of file.batches(signal)) {
    for (const row of batch) check.add(row);
    onProgress(check.number);
  }
  return { refused: check.refused, codes: check.codes, faults: check.groups.take() };
}

class Check {
  readonly #validator: Validator;
  readonly #maker: EntityMaker<number>;
  readonly #plain = new PlainCheck();
  readonly #rowOfKeys = new Map<string, number>();
  readonly refused = new Set<number>();
  readonly groups = new FaultGroups<Fault['code']>();
  readonly codes = new Map<string, number>();
  number = 0;

  constructor(validator: Validator, maker: EntityMaker<number>) {
    this.#validator = validator;
    this.#maker = maker;
  }

  add(row: RowOrFault): void {
    this.number++;
    const error = this.#errorOf(row);
    if (!error) return;
    this.refused.add(this.number);
    this.codes.set(error.code, (this.codes.get(error.code) ?? 0) + 1);
    // More groups than it takes are only counted.
    this.groups.add(error.code, error.message, this.number, error.broken);
  }

  #errorOf(row: RowOrFault): Fault | undefined {
    const entity = row instanceof TableError ? row : this.#entityOf(row);
    if (entity instanceof TableError) {
      const { code, message } = entity;
      return { code, message };
    }
    // Keys have no control characters, so different pairs have different texts.
    const keys = `${entity.partitionKey}\n${entity.rowKey}`;
    const earlier = this.#rowOfKeys.get(keys);
    const [broken] = this.#plain.isPlain(entity) ? [] : this.#validator.validateEntity(entity);
    if (broken) return { code: broken.code, message: broken.message, broken };
    if (earlier !== undefined) return sameKeys(earlier);
    this.#rowOfKeys.set(keys, this.number);
    return undefined;
  }

  // A row may have no value for a key.
  #entityOf(row: FileRow): TableEntity | TableError {
    try {
      return this.#maker.entityOf(row, this.number);
    } catch (error) {
      if (error instanceof TableError) return error;
      throw error;
    }
  }
}

function sameKeys(row: number): Fault {
  return { code: SAME_KEYS, message: `Row ${row} has the same keys.` };
}
