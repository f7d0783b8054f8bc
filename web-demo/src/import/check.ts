/**
 * Checks every row before anything is stored.
 *
 * @module
 */

import { loadValidator, type Validator, type Violation } from 'entitable';

import { EntityMaker } from './entities.js';
import type { ImportPlan } from './plan.js';
import type { RowFile } from './row-file.js';

// As many as anybody reads. All are counted.
const MAX_SHOWN = 50;

export interface RowFault {
  /** From 1 on, without the header. */
  readonly row: number;
  readonly error: Pick<Violation, 'code' | 'message'>;
}

export interface CheckResult {
  /** The numbers of the rows that the service would refuse. An import leaves them out. */
  readonly refused: ReadonlySet<number>;
  /** The first faults: one for each row. */
  readonly faults: readonly RowFault[];
}

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
  const check = new Check(await loadValidator(), new EntityMaker(plan, rows));
  for await (const batch of file.batches(signal)) {
    for (const row of batch) check.add(row);
    onProgress(check.number);
  }
  return check;
}

class Check implements CheckResult {
  readonly #validator: Validator;
  readonly #maker: EntityMaker;
  readonly #rowOfKeys = new Map<string, number>();
  readonly refused = new Set<number>();
  readonly faults: RowFault[] = [];
  number = 0;

  constructor(validator: Validator, maker: EntityMaker) {
    this.#validator = validator;
    this.#maker = maker;
  }

  add(row: Parameters<EntityMaker['entityOf']>[0]): void {
    const entity = this.#maker.entityOf(row, ++this.number);
    // Keys have no control characters, so different pairs have different texts.
    const keys = `${entity.partitionKey}\n${entity.rowKey}`;
    const earlier = this.#rowOfKeys.get(keys);
    const [broken] = this.#validator.validateEntity(entity);
    const isRepeated = earlier === undefined ? undefined : sameKeys(earlier);
    const error = broken ? { code: broken.code, message: broken.explanation } : isRepeated;
    if (!error) {
      this.#rowOfKeys.set(keys, this.number);
      return;
    }
    this.refused.add(this.number);
    if (this.faults.length < MAX_SHOWN) this.faults.push({ row: this.number, error });
  }
}

function sameKeys(row: number): RowFault['error'] {
  return { code: 'EntityAlreadyExists', message: `Row ${row} has the same keys.` };
}
