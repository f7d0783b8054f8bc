/**
 * The requests of a declared table, which take and return rows. It is loaded when an account opens
 * declared tables, so that an app without them does not have it.
 *
 * @module
 */

import { errorOfIssues, invalidInput, isTableError, remade } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { loaded } from '../base/loaded.js';
import type { AbortSignalLike, ByteStream, OwnBytes } from '../base/platform.js';
import { shown } from '../base/shown.js';
import { apiName, wireName } from '../base/system-names.js';
import type { Operation } from '../core/frames.js';
import { ANY_ETAG } from '../entity/any-etag.js';
import { hasRemovals } from '../entity/json.js';
import type { GivenKeys } from '../entity/keys.js';
import type { GetTableEntityOptions, UpdateMode } from '../entity/models.js';
import { selectedNames } from '../entity/operations.js';
import type { RowForm } from '../entity/row-form.js';
import { inFields } from '../schema/key-issues.js';
import { furtherNames } from '../schema/parts.js';
import { rowOf, rulesOf } from '../schema/stored-rows.js';
import { coreIssues, type CheckedTable } from '../schema/validate.js';
import { isOfOtherVersion, readRows, storedRow } from '../tables/row-form.js';
import type { VersionedTable, Write } from '../tables/row-versions.js';
import type {
  ExportEntitiesOptions,
  ImportEntitiesOptions,
  ImportProgress,
  ImportSource,
} from '../transfer/models.js';
import type { Validator } from '../validation/validator.js';
import type { RequestsClass, RowRequests } from './entity-requests.js';
import type { Subject } from './failures.js';

type Signal = AbortSignalLike | undefined;
type Values = Record<string, unknown>;

/** A read whose rows go to the app, which needs no stored keys. */
type ReadOfTable = GetTableEntityOptions & { readonly isForApp?: boolean };

/** The requests of an account. */
interface AccountRequests extends RowRequests {
  readonly rows: RowForm;
  readonly validator: Validator | undefined;

  import(source: ImportSource, options: ImportEntitiesOptions): Promise<ImportProgress>;
  /** Of a local account. */
  export(options: ExportEntitiesOptions): ByteStream;
}

const loadVersions = () => loaded(import('../tables/row-versions.js'));

/** Makes the class of requests for a table. */
// eslint-disable-next-line max-lines-per-function -- one class of short methods
export function rowRequests<C extends RequestsClass>(given: C, table: CheckedTable): C {
  const Requests = given as unknown as new (...given: never[]) => AccountRequests;
  const hasDefaults = Object.values(table.properties).some(
    ({ rules }) => rules.presence === 'default' && rules.default !== null,
  );
  // A new row needs more than a merge has.
  const needsWholeRows = hasDefaults || table.options.refine !== undefined;
  return class ForRows extends Requests {
    // The keys have the names of their fields, in messages and in issues.
    override explained(error: unknown, subject: Subject): unknown {
      const given = super.explained(error, subject);
      const { rowKeys } = table;
      if (!rowKeys || !isTableError(given)) return given;
      const issues = inFields(rowKeys, given.issues, ANY_KEYS);
      return remade(given, { issues }, (text) => this.rows.names.inNames(text));
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
        const { updateOverStored } = await loadVersions();
        return await updateOverStored(this.#storedRows(abortSignal), given, carryOut);
      }
      const isUpsert = mode === 'Merge' && etag === undefined && isObject(entity);
      if (!isUpsert || !needsWholeRows) return await carryOut(given);
      const { canInsert, mergeOrInsert } = await loaded(import('../tables/upserts.js'));
      const wholeOf = (part: GivenKeys) => this.#whole(part);
      if (this.takesWholes && (await canInsert(entity, wholeOf))) return await carryOut(given);
      return await mergeOrInsert(
        () => carryOut({ ...given, etag: ANY_ETAG }),
        async () => carryOut({ ...given, entity: await wholeOf(entity), creates: true }),
      );
    }

    override async import(source: ImportSource, options: ImportEntitiesOptions) {
      // A merge would leave parts that a shorter value does not have.
      if (!table.parts || options.mode === 'Merge') return await super.import(source, options);
      const { asEntities, textsIn } = await loaded(import('../tables/json-files.js'), {
        stored: 0,
      });
      // eslint-disable-next-line entitable/arguments-before-await -- the import reads it
      return await super.import(asEntities(source, textsIn(table.properties)), options);
    }

    override export(options: ExportEntitiesOptions): ByteStream {
      if (!table.parts) return super.export(options);
      const select = options.select && withParts(table, options.select);
      const entities = super.export({ ...options, select });
      let file: ReadableStreamDefaultReader<OwnBytes> | undefined;
      const pull = async (controller: ReadableStreamDefaultController<OwnBytes>) => {
        const { asFile, textsIn } = await loaded(import('../tables/json-files.js'));
        file ??= asFile(entities, textsIn(table.properties)).getReader();
        const { done, value } = await file.read();
        if (done) controller.close();
        else controller.enqueue(value);
      };
      const cancel = (reason: unknown) => (file ?? entities).cancel(reason);
      return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
    }

    override async read(operation: Operation, abortSignal: Signal, options: ReadOfTable = {}) {
      const { isForApp } = options;
      const select = selectedNames(options.select);
      if (select) this.#checkDeclared(select);
      const { orderBy } = operation;
      if (orderBy) this.checkNames(orderBy.split(',').map((term) => term.replace(/ .*/, '')));
      const { versions } = this.rows;
      // Whole rows are upgraded, and what was selected of them comes later.
      const read =
        versions && select
          ? await super.read({ ...operation, select: undefined }, abortSignal)
          : await super.read(
              { ...operation, ...wholeSelect(table, operation) },
              abortSignal,
              options,
            );
      const isOld = (entity: object) => versions && isOfOtherVersion(versions, entity);
      const { upgraded } = read.entities.some(isOld) ? await loadVersions() : {};
      const rows = readRows(table, read.entities, select, upgraded, this.validator, !isForApp);
      return { ...read, entities: rows } as never;
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
      const system = ['etag', 'timestamp', ...(table.rowKeys ? STORED_KEYS : [])];
      const known = [...Object.keys(table.properties), ...system];
      const names = given.flatMap((one) => one.split(',')).map((one) => one.trim());
      const unknownName = names.find((one) => !known.includes(apiName(wireName(one))));
      if (unknownName === undefined) return;
      throw invalidInput(`The table ${this.name} declares no property ${shown(unknownName)}.`);
    }

    // The row that is stored for a part of one, if there is none.
    async #whole(part: GivenKeys): Promise<GivenKeys> {
      return await this.#stored(rowOf(table, part) as GivenKeys, false);
    }

    // A refusal with everything that the definition refuses, too. A row that breaks it is refused
    // for that first, whatever is stored.
    #completed(error: unknown, entity: object | undefined, isPart: boolean): unknown {
      if (!isTableError(error) || error.code === 'SchemaViolation' || !isObject(entity)) {
        return error;
      }
      const isOfStored = STORED_CODES.includes(error.code);
      if (!isOfStored && !error.issues.length) return error;
      const written = { ...table, bytes: this.rows.schemaOfStored };
      const issues = coreIssues(written, this.validator, entity, isPart);
      if (!isOfStored) return remade(error, { issues });
      return issues.length ? this.explained(errorOfIssues(issues), { entity }) : error;
    }

    async #stored<T extends object>(row: T, isPart: boolean): Promise<T> {
      try {
        return await this.rows.stored(row, isPart);
      } catch (error) {
        // It has the keys. A getter of the row may throw again.
        throw this.explained(error, {});
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
          const fresh = { ...operation, asValues: this.takesWholes, fresh: true } as const;
          // Where the core does not keep it, a Double of another writer must say its type.
          const { entities } = await super.read(fresh, abortSignal, { typed: !this.takesWholes });
          return entities[0] as unknown as Values & { etag: string };
        },
        newestOf: (stored, upgraded) =>
          readRows(table, [stored], undefined, upgraded, this.validator)[0]!,
        rowOf: (entity) => rowOf(table, entity),
        stored: (row) => storedRow(merged, row, false, this.validator),
        explained: (error, entity) => this.explained(error, { entity }),
      };
    }
  } as unknown as C;
}

const ANY_KEYS = { partitionKey: '', rowKey: '' };

// Under which the app's names of keys come here.
const STORED_KEYS = ['partitionKey', 'rowKey'];

// A selected property comes with all its parts.
const withParts = ({ properties }: CheckedTable, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const rules = rulesOf(properties, apiName(name.trim()));
    return rules?.parted ? [name, ...furtherNames(name.trim(), rules)] : name;
  });

function wholeSelect(table: CheckedTable, { select }: Operation): Pick<Operation, 'select'> {
  if (!table.parts || select === undefined) return {};
  return { select: withParts(table, select.split(',')).join() };
}

// Errors that say only what is stored.
const STORED_CODES = [
  ...['EntityAlreadyExists', 'ResourceNotFound', 'UpdateConditionNotSatisfied', 'TableNotFound'],
];
