/**
 * The requests of a typed client. A definition brings this class with it, so that an app without
 * declared tables does not have it.
 *
 * @module
 */

import { invalidInput, isTableError, remade, TableError } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import type { AbortSignalLike } from '../base/platform.js';
import { shown } from '../base/shown.js';
import type { RequestsClass, RowRequests } from '../client/entity-requests.js';
import type { Subject } from '../client/failures.js';
import type { VersionedTable, Write, WriteAction } from '../client/row-versions.js';
import type { Operation } from '../core/frames.js';
import { ANY_ETAG } from '../entity/any-etag.js';
import { apiName, hasRemovals, wireName } from '../entity/json.js';
import type { EntityKeys, GivenKeys } from '../entity/keys.js';
import type { GetTableEntityOptions, TransactionAction, UpdateMode } from '../entity/models.js';
import { selectedNames, type Transaction } from '../entity/operations.js';
import type { RowForm } from '../entity/row-form.js';
import type { Validator } from '../validation/validator.js';
import { inFields } from './key-issues.js';
import { formOfAccount, isOfOtherVersion, readRow, storedRow } from './row-form.js';
import { furtherNames } from './parts.js';
import { rowOf, rulesOf } from './stored-rows.js';
import { coreViolations, type CheckedTable } from './validate.js';

type Signal = AbortSignalLike | undefined;
type Values = Record<string, unknown>;

/** A read whose rows go to the app, which needs no stored keys. */
type ReadOfTable = GetTableEntityOptions & { readonly isForApp?: boolean };

/** The requests of an account. */
interface AccountRequests extends RowRequests {
  rows: RowForm;
  readonly validator: Validator | undefined;
}

/** Makes the class of requests for a table. */
// eslint-disable-next-line max-lines-per-function -- one class of short methods
export function typedRequests<C extends RequestsClass>(given: C, table: CheckedTable): C {
  const Requests = given as unknown as new (...given: never[]) => AccountRequests;
  const hasDefaults = Object.values(table.properties).some(
    ({ rules }) => rules.presence === 'default' && rules.default !== null,
  );
  // A new row needs more than a merge has.
  const needsWholeRows = hasDefaults || table.options.refine !== undefined;
  return class TypedRequests extends Requests {
    constructor(...given: never[]) {
      super(...given);
      this.rows = formOfAccount(this.rows, table, this.validator);
    }

    // The keys have the names of their fields, in messages and in violations.
    override explained(error: unknown, subject: Subject): unknown {
      const given = super.explained(error, subject);
      const { rowKeys } = table;
      if (!rowKeys || !isTableError(given)) return given;
      const violations = inFields(rowKeys, given.violations, ANY_KEYS);
      return remade(given, { violations }, (text) => this.rows.names.inNames(text));
    }

    override async insert(row: object, abortSignal: Signal, stored?: (entity: object) => void) {
      const entity = await this.#stored(row, false);
      stored?.(entity);
      try {
        return await super.insert(entity, abortSignal);
      } catch (error) {
        throw this.#completed(error, entity, false);
      }
    }

    override async update(
      row: GivenKeys,
      mode: UpdateMode,
      etag: string | undefined,
      abortSignal: Signal,
      stored?: (entity: object) => void,
    ) {
      const carryOut = async ({ entity, mode, etag, creates }: Write) => {
        try {
          return await (creates
            ? super.insert(entity, abortSignal)
            : super.update(entity, mode, etag, abortSignal));
        } catch (error) {
          throw this.#completed(error, entity, !creates && mode === 'Merge');
        }
      };
      const entity = await this.#stored(row, mode === 'Merge');
      stored?.(entity);
      const given: Write = { entity, mode, etag };
      if (this.rows.versions || (!this.takesWholes && hasRemovals(entity))) {
        const { updateOverStored } = await this.loadVersions();
        return await updateOverStored(this.#storedRows(abortSignal), given, carryOut);
      }
      const isUpsert = mode === 'Merge' && etag === undefined && isObject(entity);
      if (!isUpsert || !needsWholeRows) return await carryOut(given);
      const { canInsert, mergeOrInsert } = await this.loadUpserts();
      const wholeOf = (part: GivenKeys) => this.#whole(part);
      if (this.takesWholes && (await canInsert(entity, wholeOf))) return await carryOut(given);
      return await mergeOrInsert(
        () => carryOut({ ...given, etag: ANY_ETAG }),
        async () => carryOut({ ...given, entity: await wholeOf(entity), creates: true }),
      );
    }

    override async read(operation: Operation, abortSignal: Signal, options: ReadOfTable = {}) {
      if (!operation.asValues || options.typed) {
        const option = options.typed ? 'typed' : 'disableTypeConversion';
        throw invalidInput(`A declared table has types of its own: it has no option ${option}.`);
      }
      const { isForApp } = options;
      const select = selectedNames(options.select);
      if (select) this.#checkDeclared(select);
      const { orderBy } = operation;
      if (orderBy) this.checkNames(orderBy.split(',').map((term) => term.replace(/ .*/, '')));
      const { versions } = this.rows;
      // The core refuses a star beside names.
      const isWhole = versions && select && !select.includes('*');
      const read = isWhole
        ? await super.read({ ...operation, select: undefined }, abortSignal)
        : await super.read(withParts(table, operation), abortSignal, options);
      const isOld = (entity: object) => versions && isOfOtherVersion(versions, entity);
      const { upgraded } = read.entities.some(isOld) ? await this.loadVersions() : {};
      const entities = read.entities.map((entity) =>
        readRow(table, entity, select, upgraded, this.validator, !isForApp),
      );
      return { ...read, entities } as never;
    }

    // The core would read the first part alone.
    override checkNames(names: readonly string[]): void {
      this.#checkDeclared(names);
      const parted = names.find((name) => rulesOf(table.properties, name.trim())?.parted);
      if (parted === undefined) return;
      const what = 'is stored in parts: no order, group, sum or search can read it';
      throw invalidInput(`Property ${shown(parted)} ${what}.`);
    }

    override textName(name: string): string {
      const isText = rulesOf(table.properties, name)?.parted?.kind === 'text';
      return isText ? `whole(${name})` : super.textName(name);
    }

    // The core takes any name, and a misspelt one selects nothing, orders nothing and has no
    // sum.
    #checkDeclared(given: readonly string[]): void {
      const system = ['etag', 'timestamp', '*', ...(table.rowKeys ? STORED_KEYS : [])];
      const known = [...Object.keys(table.properties), ...system];
      const names = given.flatMap((one) => one.split(',')).map((one) => one.trim());
      const unknownName = names.find((one) => !known.includes(apiName(wireName(one))));
      if (unknownName === undefined) return;
      throw invalidInput(`The table ${this.name} declares no property ${shown(unknownName)}.`);
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
          const entity = (kind as string) === 'delete' ? undefined : row;
          throw this.#completed(error, entity, isPartOf(kind, mode), actions);
        }
      };
      const rows = await all(given as TransactionAction[], (action) => this.#storedAction(action));
      // A part of a split one is stored already.
      const mayRepeat = !split;
      const removes =
        !this.takesWholes && rows.some((row) => Array.isArray(row) && hasRemovals(row[1]));
      if (this.rows.versions || removes) {
        const { submitOverStored } = await this.loadVersions();
        return await submitOverStored(this.#storedRows(abortSignal), rows, carryOut, mayRepeat);
      }
      if (!needsWholeRows || !rows.some(isMergingUpsert)) return await carryOut(rows);
      const { submitUpserts } = await this.loadUpserts();
      const target = {
        mapped: all,
        takesWholes: this.takesWholes,
        exists: (keys: EntityKeys) => this.#exists(keys, abortSignal),
        whole: (part: GivenKeys) => this.#whole(part),
      };
      return await submitUpserts(target, rows, carryOut, mayRepeat);
    }

    // A copy: the caller may change the arguments at once. What is no action stays as it is, to be
    // refused.
    async #storedAction(given: TransactionAction): Promise<TransactionAction> {
      if (!Array.isArray(given)) return given;
      const [kind, row, ...others] = given as unknown as [string, GivenKeys, ...unknown[]];
      const rest = others.map(copyOfOptions);
      if (kind !== 'delete') {
        const isPart = isPartOf(kind, rest[0] as UpdateMode | undefined);
        return [kind, await this.#stored(row, isPart), ...rest] as never;
      }
      // Only its keys count, which a class may have as getters.
      const keys = isObject(row) ? { partitionKey: row.partitionKey, rowKey: row.rowKey } : row;
      return [kind, keys, ...rest] as never;
    }

    // The row that is stored for a part of one, if there is none.
    async #whole(part: GivenKeys): Promise<GivenKeys> {
      return await this.#stored(rowOf(table, part) as GivenKeys, false);
    }

    // A refusal with everything that the definition refuses, too. A row that breaks it is refused
    // for that first, whatever is stored.
    #completed(
      error: unknown,
      entity: object | undefined,
      isPart: boolean,
      actions?: readonly TransactionAction[],
    ): unknown {
      if (!isTableError(error) || error.code === 'SchemaViolation' || !isObject(entity)) {
        return error;
      }
      const isOfStored = STORED_CODES.includes(error.code);
      if (!isOfStored && !error.violations.length) return error;
      const written = { ...table, bytes: this.rows.schemaOfStored };
      const violations = coreViolations(written, this.validator, entity, isPart);
      if (!isOfStored) return remade(error, { violations });
      const [first] = violations;
      if (!first) return error;
      const refused = new TableError(first.code, first.message, { ...error.details, violations });
      return this.explained(refused, { entity, actions });
    }

    async #stored<T extends object>(row: T, isPart: boolean): Promise<T> {
      try {
        return await this.rows.stored(row, isPart);
      } catch (error) {
        // It has the keys. A getter of the row may throw again.
        throw this.explained(error, {});
      }
    }

    async #exists({ partitionKey, rowKey }: EntityKeys, abortSignal: Signal): Promise<boolean> {
      const keys = { partitionKey, rowKey, select: 'RowKey' };
      const operation = { kind: 'getEntity', table: this.name, ...keys } as const;
      try {
        await super.read({ ...operation, asValues: true, fresh: true }, abortSignal);
        return true;
      } catch (error) {
        if (isTableError(error) && error.code === 'ResourceNotFound') return false;
        throw this.explained(error, { entity: { partitionKey, rowKey } });
      }
    }

    #storedRows(abortSignal: Signal): VersionedTable {
      // A row that is merged keeps what other writers have stored.
      const options = { ...table.options, unknownProperties: 'keep' } as const;
      const { versions, schemaOfStored } = this.rows;
      const merged = { ...table, options, bytes: schemaOfStored };
      return {
        versions,
        takesRemovals: this.takesWholes,
        read: async (keys) => {
          const operation = { kind: 'getEntity', table: this.name, ...keys } as const;
          // Another account may have written it. The engine checks conditions on the newest state,
          // too.
          const fresh = { ...operation, asValues: true, fresh: true } as const;
          const { entities } = await super.read(fresh, abortSignal);
          return entities[0] as unknown as Values & { etag: string };
        },
        newestOf: (stored, upgraded) => readRow(table, stored, undefined, upgraded, this.validator),
        rowOf: (entity) => rowOf(table, entity),
        stored: (row) => storedRow(merged, row, false, this.validator),
        mapped: all,
        explained: (error, entity) => this.explained(error, { entity }),
      };
    }
  } as unknown as C;
}

const ANY_KEYS = { partitionKey: '', rowKey: '' };

// Under which the app's names of keys come here.
const STORED_KEYS = ['partitionKey', 'rowKey'];
// A selected property comes with all its parts.
function withParts({ properties, parts }: CheckedTable, operation: Operation): Operation {
  const { select } = operation;
  if (!parts || select === undefined) return operation;
  const names = select.split(',').flatMap((name) => {
    const rules = rulesOf(properties, apiName(name.trim()));
    return rules?.parted ? [name, ...furtherNames(name.trim(), rules)] : name;
  });
  return { ...operation, select: names.join() };
}

// Whether an action has only some of the properties of a row.
const isPartOf = (kind: string | undefined, mode: UpdateMode = 'Merge') =>
  kind !== 'create' && mode === 'Merge';

const isMergingUpsert = (action: unknown) =>
  Array.isArray(action) && action[0] === 'upsert' && isPartOf('upsert', action[2] as UpdateMode);

// With the prototype: a class may have an etag as a getter. An array is refused.
function copyOfOptions(given: unknown): unknown {
  if (!isObject(given) || Array.isArray(given)) return given;
  return Object.assign(Object.create(Object.getPrototypeOf(given) as object | null), given);
}

// Errors that say only what is stored.
const STORED_CODES = [
  ...['EntityAlreadyExists', 'ResourceNotFound', 'UpdateConditionNotSatisfied', 'TableNotFound'],
];

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
