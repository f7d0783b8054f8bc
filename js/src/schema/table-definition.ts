/**
 * `defineTable`: one declaration of a table, for types, validation, keys and filters.
 *
 * @module
 */

import type { Issue } from '../base/issue.js';
import { MAX_CUSTOM_PROPERTIES, MAX_SCHEMA_BYTES } from '../base/limits.js';
import type { TableIndex } from '../entity/indexes.js';
import type { EntityKeys } from '../entity/keys.js';
import { NamesOfTable } from './app-names.js';
import { checkDefinition } from './check-definition.js';
import { compile } from './compile.js';
import { storedIndex } from './indexes.js';
import { jsonSchemaOf } from './json-schema.js';
import type { PropertyDefinition } from './properties.js';
import { ownersOf, storedForm } from './parts.js';
import { RowKeys } from './row-keys.js';
import type { PlainName, Row, RowInput, TableProperties, WithBothKeys } from './rows.js';
import type { StandardJsonConverter, StandardProps, StandardResult } from './standard.js';
import type { KeyNamesOf, KeyOption, TableOptions } from './table-options.js';
import { t } from './types.js';
import { validate } from './validate.js';
import { versionProperty } from './versions.js';
import type { LocalOperands } from './where-parts.js';
import { ALWAYS, type Condition, type Operands } from './where.js';

/** The fields of the key of a row. */
type KeyFields<Properties, Keys> = string extends keyof Properties
  ? Readonly<Record<string, unknown>>
  : Pick<Row<Properties>, Keys & keyof Row<Properties>>;

/**
 * A declared table, from `defineTable`: a Standard Schema, a Standard JSON Schema, and what
 * `openAccount({ tables })` takes.
 */
export class TableDefinition<
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a table of any kind is one
  Properties extends TableProperties = any,
  out Keys extends string = string,
> {
  readonly tableName: string;
  readonly properties: Properties;

  /** For the compiler alone. */
  declare readonly '~table'?: {
    readonly row: Row<Properties>;
    readonly input: RowInput<Properties>;
    readonly key: Keys;
    readonly plain: PlainName<Properties>;
    // Methods, so that tables of any kind are in one list.
    readonly where: { of(properties: LocalOperands<Properties>): Condition }['of'];
    readonly serviceWhere: { of(properties: Operands<Properties>): Condition }['of'];
  };

  /** Standard Schema and Standard JSON Schema, version 1. */
  readonly '~standard': StandardProps<RowInput<Properties>, Row<Properties>> & {
    readonly jsonSchema: StandardJsonConverter;
  };

  /** @internal */
  readonly options: TableOptions;

  /**
   * The keys, if they are made of properties.
   *
   * @internal
   */
  readonly rowKeys: RowKeys | undefined;

  /**
   * The definition as the core reads it. It has no rules of fields of keys, which are checked here.
   *
   * @internal
   */
  readonly bytes: Uint8Array;

  /**
   * The property of each name of a further part.
   *
   * @internal
   */
  readonly parts: ReadonlyMap<string, string> | undefined;

  /**
   * The properties that rows are stored with.
   *
   * @internal
   */
  readonly stored: Readonly<Record<string, PropertyDefinition>>;

  /**
   * The indexes, under the names of stored properties.
   *
   * @internal
   */
  readonly indexes: readonly TableIndex[];

  /** @internal */
  constructor(tableName: string, properties: Properties, options: TableOptions) {
    const { unknownProperties = 'keep' } = options;
    this.tableName = tableName;
    this.properties = properties;
    this.options = options;
    const { key } = options;
    this.rowKeys = key === undefined ? undefined : new RowKeys(tableName, properties, key);
    const names = new NamesOfTable(this);
    this.parts = ownersOf(properties);
    this.stored = storedForm(storedProperties(properties, options, this.rowKeys));
    this.bytes = compile(this.stored, unknownProperties === 'keep');
    this.indexes = (options.indexes ?? []).map((index) => storedIndex(properties, names, index));
    const schema = (isOutput: boolean) => {
      const table = { tableName, properties, unknownProperties, description: options.description };
      return ({ target }: { target: string }) => jsonSchemaOf(table, target, isOutput);
    };
    this['~standard'] = {
      version: 1,
      vendor: 'entitable',
      validate: (value) => this.validate(value),
      jsonSchema: { input: schema(false), output: schema(true) },
    };
  }

  /**
   * The definition that the store holds every writer to, with the values that a key may have.
   *
   * @internal
   */
  get enforced(): Uint8Array {
    const { bytes, stored, rowKeys, options } = this;
    const rules = rowKeys ? keyRules(rowKeys) : [];
    if (!rules.length) return bytes;
    return compile(
      { ...stored, ...Object.fromEntries(rules) },
      (options.unknownProperties ?? 'keep') === 'keep',
    );
  }

  /**
   * Finds everything that is wrong with a row; fills in defaults. The first issue is the one that
   * the service reports first.
   *
   * Returns the result at once if a module is loaded, by `loadValidator()` or `openAccount()`, and
   * no check is asynchronous. Otherwise it returns a promise. It waits for the module of an account
   * that is being opened, and loads one if there is none.
   */
  validate(
    value: unknown,
  ): StandardResult<Row<Properties>, Issue> | Promise<StandardResult<Row<Properties>, Issue>> {
    return validate(this, value) as never;
  }

  /**
   * Returns the stored keys of a row, or of an object with the fields of its key: for a
   * {@link TableClient}, say.
   *
   * @throws {@link TableError} `InvalidInput`, if a field is missing or has another type.
   */
  keysOf(row: KeyFields<Properties, Keys>): EntityKeys {
    return new NamesOfTable(this).keysOf(row);
  }

  /**
   * Returns the fields of stored keys.
   *
   * @throws {@link TableError} `InvalidInput`, if no row of this table has such keys.
   */
  fieldsOf(keys: EntityKeys): KeyFields<Properties, Keys> {
    return new NamesOfTable(this).fieldsOf(keys) as KeyFields<Properties, Keys>;
  }

  /** Returns the JSON Schema of the rows that writes take; draft 2020-12. */
  jsonSchema(): Record<string, unknown> {
    return this['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  }

  /**
   * Returns a filter, for any account. It has comparisons, `startsWith` of texts, `and`, `or` and
   * `not`. For local accounts, `whereExtended` of `entitable/schema` also builds filters with `in`,
   * `contains`, parts of dates and calculations.
   *
   * @example
   * ```ts
   * const filter = pets.where(({ age, kind }) => and(age.gt(5), kind.eq('dog')));
   * ```
   * @throws {@link TableError} `InvalidInput`, if a value does not fit its property, if there is no
   * such property, or if the callback returns no condition.
   */
  where(build: (operands: Operands<Properties>) => Condition): string {
    return new NamesOfTable(this).filterOf(build) ?? ALWAYS.text;
  }
}

/**
 * Declares a table.
 *
 * @example
 * ```ts
 * const pets = defineTable('Pets', {
 *   partitionKey: t.string(),
 *   rowKey: t.string(),
 *   name: t.string({ minLength: 1, maxLength: 80 }),
 *   age: t.int32({ minimum: 0 }).optional(),
 * });
 * type Pet = Infer<typeof pets>;
 * ```
 * @throws TypeError, with the name of the property, if the definition is invalid.
 */
export function defineTable<
  const Properties extends TableProperties,
  const Key extends KeyOption<keyof NoInfer<Properties> & string>,
>(
  name: string,
  properties: Properties,
  options: TableOptions<Row<NoInfer<Properties>>> & { readonly key: Key },
): TableDefinition<Properties, KeyNamesOf<Key>>;
export function defineTable<const Properties extends WithBothKeys>(
  name: string,
  properties: Properties,
  options?: TableOptions<Row<NoInfer<Properties>>> & { readonly key?: undefined },
): TableDefinition<Properties, keyof EntityKeys>;
export function defineTable(
  name: string,
  properties: TableProperties,
  options: TableOptions = {},
): TableDefinition {
  checkDefinition(name, properties, options);
  const { upgrade } = options;
  const ownOptions = { ...options, ...(upgrade && { upgrade: { ...upgrade } }) };
  const table = new TableDefinition(name, { ...properties }, ownOptions);
  checkSizes(table);
  return table;
}

// The version of a row is stored as a property, too. A row without it would be read as version 1.
function storedProperties(
  properties: TableProperties,
  options: TableOptions,
  rowKeys: RowKeys | undefined,
): Record<string, PropertyDefinition> {
  const name = versionProperty(options);
  const version = name !== undefined && { [name]: t.int32({ enum: [options.version!] }) };
  if (!rowKeys) return { ...properties, ...version };
  const others = Object.entries(properties).filter(([one]) => !rowKeys.names.includes(one));
  const keys = { partitionKey: t.string(), rowKey: t.string() };
  return { ...keys, ...Object.fromEntries(others), ...version };
}

// A key of one field has as many values as the field. The store knows no other rule of a field,
// because a key is not the field as rows have it.
const keyRules = (rowKeys: RowKeys) =>
  rowKeys.fields.flatMap(([stored, [name, ...others]]) => {
    if (name === undefined || others.length) return [];
    const { rules, encode } = rowKeys.fieldOf(name);
    const values = rules.constraints['enum'] as readonly unknown[] | undefined;
    return values ? [[stored, t.string({ enum: values.map((one) => encode(one)) })] as const] : [];
  });

const KEY_COUNT = 2;

// The core would refuse every row, or the compiled form.
function checkSizes({
  tableName,
  properties,
  options,
  rowKeys,
  enforced,
}: Pick<
  TableDefinition<TableProperties>,
  'tableName' | 'properties' | 'options' | 'rowKeys' | 'enforced'
>): void {
  const fail = (what: string, limit: number) => {
    throw new TypeError(`The table ${tableName} ${what}; the limit is ${limit}.`);
  };
  const written = Object.values(storedProperties(properties, options, rowKeys)).filter(
    ({ rules }) => rules.presence !== 'optional' && rules.default !== null,
  );
  const count = written.length - KEY_COUNT;
  const withVersion = options.version === undefined ? '' : ', with its version';
  if (count > MAX_CUSTOM_PROPERTIES) {
    fail(`has ${count} properties in every row${withVersion}`, MAX_CUSTOM_PROPERTIES);
  }
  if (enforced.length > MAX_SCHEMA_BYTES) {
    fail(`has names and enum values of ${enforced.length} bytes in all`, MAX_SCHEMA_BYTES);
  }
}
