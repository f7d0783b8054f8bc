/**
 * The requests of a typed client. A definition brings this class with it, so that an app without
 * declared tables does not have it.
 *
 * @module
 */

import { isTableError, remade } from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { RequestsClass } from '../client/entity-requests.js';
import type { VersionedTable, Write, WriteAction } from '../client/row-versions.js';
import type { Operation } from '../core/frames.js';
import type { GivenKeys } from '../entity/keys.js';
import type { GetTableEntityOptions, TransactionAction, UpdateMode } from '../entity/models.js';
import { selectedNames, type Transaction } from '../entity/operations.js';
import { isOfOtherVersion, readRow } from './row-form.js';
import { rowOf } from './stored-rows.js';
import { coreViolations, type CheckedTable } from './validate.js';

type Signal = AbortSignalLike | undefined;
type Values = Record<string, unknown>;

/** Makes the class of requests for a table. */
// eslint-disable-next-line max-lines-per-function -- one class of short methods
export function typedRequests<C extends RequestsClass>(given: C, table: CheckedTable): C {
  const Requests: RequestsClass = given;
  // A refusal by a rule of the service, with everything that the table refuses, too.
  const completed = (error: unknown, entity: object | undefined, isPart: boolean) => {
    const isComplete = !isTableError(error) || error.code === 'SchemaViolation';
    if (isComplete || !error.violations.length || !entity) return error;
    return remade(error, { violations: coreViolations(table, entity, isPart) });
  };
  return class TypedRequests extends Requests {
    override async insert(row: object, abortSignal: Signal) {
      const entity = await this.#stored(row, false);
      try {
        return await super.insert(entity, abortSignal);
      } catch (error) {
        throw completed(error, entity, false);
      }
    }

    override async update(
      row: GivenKeys,
      mode: UpdateMode,
      etag: string | undefined,
      abortSignal: Signal,
    ) {
      const carryOut = async (write: Write) => {
        try {
          return await (write.creates
            ? super.insert(write.entity, abortSignal)
            : super.update(write.entity, write.mode, write.etag, abortSignal));
        } catch (error) {
          throw completed(error, write.entity, write.mode === 'Merge');
        }
      };
      const entity = await this.#stored(row, mode === 'Merge');
      const given: Write = { entity, mode, etag };
      if (!this.rows!.versions) return await carryOut(given);
      const { updateOverStored } = await this.loadVersions();
      return await updateOverStored(this.#storedRows(abortSignal), given, carryOut);
    }

    override async read<T extends object>(
      operation: Operation,
      abortSignal: Signal,
      options: GetTableEntityOptions = {},
    ) {
      if (!operation.asValues) return await super.read<T>(operation, abortSignal, options);
      const select = selectedNames(options.select);
      const { versions } = this.rows!;
      // The core refuses a star beside names.
      const isWhole = versions && select && !select.includes('*');
      const read = isWhole
        ? await super.read({ ...operation, select: undefined }, abortSignal)
        : await super.read(operation, abortSignal, options);
      const isOld = (entity: object) => versions && isOfOtherVersion(versions, entity);
      const { upgraded } = read.entities.some(isOld) ? await this.loadVersions() : {};
      const entities = read.entities.map((entity) => readRow(table, entity, select, upgraded));
      return { ...read, entities } as never;
    }

    override async submit(
      transaction: Transaction,
      split: boolean | undefined,
      abortSignal: Signal,
    ) {
      const given: unknown = Array.isArray(transaction)
        ? transaction
        : (transaction as Partial<{ actions: unknown }> | undefined)?.actions;
      if (!Array.isArray(given)) return await super.submit(transaction, split, abortSignal);
      const carryOut = async (actions: readonly TransactionAction[]) => {
        try {
          return await super.submit(actions, split, abortSignal);
        } catch (error) {
          const index = isTableError(error) ? error.details.operationIndex : undefined;
          const action = actions[index ?? -1];
          const [kind, row, mode] = (Array.isArray(action) ? action : []) as Partial<WriteAction>;
          throw completed(error, row, isPartOf(kind, mode));
        }
      };
      const rows = await all(given as TransactionAction[], (action) => this.#storedAction(action));
      if (!this.rows!.versions) return await carryOut(rows);
      const { submitOverStored } = await this.loadVersions();
      // A part of a split one is stored already.
      return await submitOverStored(this.#storedRows(abortSignal), rows, carryOut, !split);
    }

    // What is no action stays as it is, to be refused.
    async #storedAction(given: TransactionAction): Promise<TransactionAction> {
      if (!Array.isArray(given) || given[0] === 'delete') return given;
      const [kind, row, mode, ...rest] = given as WriteAction;
      const entity = await this.#stored(row, isPartOf(kind, mode));
      return [kind, entity, ...(given.length > 2 ? [mode, ...rest] : [])] as never;
    }

    async #stored<T extends object>(row: T, isPart: boolean): Promise<T> {
      try {
        return await this.rows!.stored(row, isPart);
      } catch (error) {
        throw this.explained(error, { entity: row });
      }
    }

    #storedRows(abortSignal: Signal): VersionedTable {
      return {
        versions: this.rows!.versions!,
        read: async (keys) => {
          const operation = { kind: 'getEntity', table: this.name, ...keys } as const;
          // Another account may have written it. The engine checks conditions on the newest state,
          // too.
          const fresh = { ...operation, asValues: true, fresh: true } as const;
          const { entities } = await super.read(fresh, abortSignal);
          return entities[0] as unknown as Values & { etag: string };
        },
        newestOf: (stored, upgraded) => readRow(table, stored, undefined, upgraded),
        rowOf: (entity) => rowOf(table.properties, entity),
        stored: (row) => this.rows!.stored(row, false),
        mapped: all,
        explained: (error, entity) => this.explained(error, { entity }),
      };
    }
  } as RequestsClass as C;
}

// Whether an action has only some of the properties of a row.
const isPartOf = (kind: string | undefined, mode: UpdateMode | undefined) =>
  kind !== 'create' && (mode === undefined || mode === 'Merge');

/** Maps the actions of a transaction. An error has the index of its action. */
async function all(
  actions: readonly TransactionAction[],
  mapped: (action: TransactionAction, index: number) => Promise<TransactionAction>,
): Promise<TransactionAction[]> {
  const results = actions.map(async (action, operationIndex) => {
    try {
      return await mapped(action, operationIndex);
    } catch (error) {
      throw isTableError(error) ? remade(error, { operationIndex }) : error;
    }
  });
  return await Promise.all(results);
}
