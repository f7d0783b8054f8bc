/**
 * `defineTable`: one declaration of a table, for types, validation, keys and filters.
 *
 * @module
 */

import { isObject } from '../base/kinds.js';
import { MAX_CUSTOM_PROPERTIES, MAX_SCHEMA_BYTES } from '../base/limits.js';
import { shown } from '../base/shown.js';
import { compile } from './compile.js';
import { checkRules, isPrecise, wrong } from './constraints.js';
import type { DeclaredTable } from '../client/typed-table.js';
import type { TableIndex } from '../entity/indexes.js';
import type { TextName } from '../entity/search.js';
import { checkIndexes, type IndexableName } from './indexes.js';
import { jsonSchemaOf } from './json-schema.js';
import type { KeyDefinition } from './keys.js';
import type { PropertyDefinition } from './properties.js';
import { checkParted } from './parted-definition.js';
import { ownersOf, storedForm } from './parts.js';
import { rowFormOf, storedViolations } from './row-form.js';
import type { Row, RowInput, TableProperties } from './rows.js';
import type {
  StandardJsonConverter,
  StandardProps,
  StandardResult,
  StandardSchema,
} from './standard.js';
import { rulesOf } from './stored-rows.js';
import { TableKeys, type TableKeyFields } from './table-keys.js';
import { typedRequests } from './typed-requests.js';
import { t } from './types.js';
import { checkVersions, knownVersion, versionProperty, type Versions } from './versions.js';
import { validate, type Issue, type TableCheck } from './validate.js';
import { checkCondition, operandsOf, type Condition, type Operands } from './where.js';

/** Options of `defineTable`. */
export interface TableOptions<Row = never> extends Versions {
  /**
   * What a write does with properties that are not declared: it keeps them, as the service does;
   * rejects the row; or drops them. By default it keeps them.
   */
  readonly unknownProperties?: 'keep' | 'reject' | 'drop';

  /**
   * Rules between properties: a function that returns a list of what is wrong, or another
   * validator, which is any Standard Schema, for example of zod. Its issues are added to the list.
   * Its output is ignored.
   */
  readonly refine?: StandardSchema | TableCheck<Row>;

  /**
   * The indexes of the table: `[['email'], ['owner', 'created desc']]`. A query uses an index if
   * its filter compares the first properties of the index. `['words(text)']` is an index of words,
   * for `search`. `account.updateIndexes` builds the indexes. `partitionKey` and `rowKey` can be
   * parts of an index.
   */
  readonly indexes?: readonly TableIndex<IndexableName<Row>, TextName<Row>>[];

  /** A text for people, which the JSON Schema has, too. */
  readonly description?: string;
}

/**
 * A declared table, from `defineTable`. It is a Standard Schema and a Standard JSON Schema, and it
 * makes the typed client: `account.table(pets)`.
 */
export class TableDefinition<Properties extends TableProperties = TableProperties> {
  readonly tableName: string;
  readonly properties: Properties;
  /** Encodes keys, decodes them, and makes filters for ranges of them. */
  readonly keys: TableKeys<TableKeyFields<Properties>>;

  /** Standard Schema and Standard JSON Schema, version 1. */
  readonly '~standard': StandardProps<RowInput<Properties>, Row<Properties>> & {
    readonly jsonSchema: StandardJsonConverter;
  };

  /** @internal */
  readonly options: TableOptions;

  /**
   * The definition as the core reads it.
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
   * What a typed client needs.
   *
   * @internal
   */
  readonly typed: DeclaredTable<unknown, unknown>['typed'];

  /** @internal */
  constructor(tableName: string, properties: Properties, options: TableOptions) {
    const { unknownProperties = 'keep' } = options;
    this.tableName = tableName;
    this.properties = properties;
    this.options = options;
    this.keys = new TableKeys(properties.partitionKey, properties.rowKey);
    this.parts = ownersOf(properties);
    const stored = storedForm(storedProperties(properties, options));
    this.bytes = compile(stored, unknownProperties === 'keep');
    const known = knownVersion(options, properties);
    this.typed = {
      indexes: (options.indexes ?? []).map((index) => [...index]),
      form: rowFormOf(this, {
        schemaOfStored: compile(stored, unknownProperties !== 'reject', known),
        schemaOfImport: compile(stored, unknownProperties === 'keep', known),
      }),
      requestsOf: (requests) => typedRequests(requests, this),
      violationsOf: (entity, validator) => storedViolations(this, entity, validator),
    };
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
    const operands = operandsOf(this.tableName, this.properties) as Operands<Properties>;
    return checkCondition(build(operands)).text;
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
export function defineTable<const Properties extends TableProperties>(
  name: string,
  properties: Properties,
  options: TableOptions<Row<NoInfer<Properties>>> = {},
): TableDefinition<Properties> {
  if (!/^(?!tables$)[a-z][a-z\d]{2,62}$/i.test(name)) {
    throw new TypeError(`${shown(name)} is not the name of a table: 3 to 63 letters and digits.`);
  }
  for (const [what, given] of Object.entries({ properties, options })) {
    if (isObject(given)) continue;
    throw new TypeError(`The ${what} of ${name} must be an object, not ${shown(given)}.`);
  }
  for (const key of KEY_NAMES) {
    const property = properties[key] as PropertyDefinition | undefined;
    const { type, presence, parted } = property?.rules ?? {};
    if (type !== 'String' || presence !== 'required' || parted) {
      throw wrong(name, key, 'must be t.string() or t.key(), and cannot be optional');
    }
  }
  for (const [property, definition] of Object.entries(properties)) {
    if (!isObject(definition) || !('rules' in definition)) {
      throw wrong(name, property, `is ${shown(definition)}, not a property of t`);
    }
    if (!isName(property)) throw wrong(name, property, 'has a name that no property can have');
    if (isLiteral(property)) throw wrong(name, property, 'has a name that filters read as a value');
    checkRules(name, property, definition.rules);
    if (definition.rules.parted) checkParted(name, property, definition.rules, properties, isName);
    if ('fields' in definition) checkFields(name, properties, definition as KeyDefinition);
  }
  checkOptions(name, properties, options);
  const { upgrade } = options;
  const ownOptions = { ...options, ...(upgrade && { upgrade: { ...upgrade } }) };
  const table = new TableDefinition(name, { ...properties }, ownOptions);
  checkSizes(table);
  return table;
}

// A row says the same in its key and in a property.
function checkFields(table: string, properties: TableProperties, { fields }: KeyDefinition): void {
  for (const { name, rules } of fields) {
    const own = rulesOf(properties, name);
    if (own && (own.type !== rules.type || isPrecise(own) !== isPrecise(rules))) {
      throw wrong(table, name, `is ${own.type}, but its key has another type`);
    }
  }
}

// The version of a row is stored as a property, too. A row without it would be read as version 1.
function storedProperties(
  properties: TableProperties,
  options: TableOptions,
): Record<string, PropertyDefinition> {
  const name = versionProperty(options);
  return name === undefined
    ? properties
    : { ...properties, [name]: t.int32({ enum: [options.version!] }) };
}

// The core would refuse every row, or the compiled form.
function checkSizes({
  tableName,
  properties,
  options,
  bytes,
}: Pick<TableDefinition, 'tableName' | 'properties' | 'options' | 'bytes'>): void {
  const fail = (what: string, limit: number) => {
    throw new TypeError(`The table ${tableName} ${what}; the limit is ${limit}.`);
  };
  const written = Object.values(storedProperties(properties, options)).filter(
    ({ rules }) => rules.presence !== 'optional' && rules.default !== null,
  );
  const count = written.length - KEY_NAMES.length;
  const withVersion = options.version === undefined ? '' : ', with its version';
  if (count > MAX_CUSTOM_PROPERTIES) {
    fail(`has ${count} properties in every row${withVersion}`, MAX_CUSTOM_PROPERTIES);
  }
  if (bytes.length > MAX_SCHEMA_BYTES) {
    fail(`has names and enum values of ${bytes.length} bytes in all`, MAX_SCHEMA_BYTES);
  }
}

const KEY_NAMES = ['partitionKey', 'rowKey'] as const;

const OWN = /^(partitionKey|rowKey|\$(partitionKey|rowKey|timestamp|etag))$/;
const TAKEN = /^(PartitionKey|RowKey|Timestamp|timestamp|etag)$/;
const NAME = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]{0,254}$/u;
// The service takes them in entities, but no filter can name them. Source: query, 3.2 and 3.3.
const isLiteral = (name: string) =>
  /^(true|false)$/i.test(name) || /^(null|NaN|INF|Infinity)$/.test(name);

// The core knows the exact table of characters, and checks each write.
const isName = (name: string) => OWN.test(name) || (NAME.test(name) && !TAKEN.test(name));

const OPTIONS = [
  ...['unknownProperties', 'refine', 'indexes', 'description'],
  ...['version', 'upgrade', 'versionProperty'],
];

function checkOptions(table: string, properties: TableProperties, options: TableOptions): void {
  const fail = (what: string) => {
    throw new TypeError(`The table ${table} ${what}.`);
  };
  const unknownName = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknownName !== undefined) fail(`has no option ${shown(unknownName)}`);
  const { unknownProperties = 'keep', refine } = options;
  if (!['keep', 'reject', 'drop'].includes(unknownProperties)) {
    fail(`has the option unknownProperties ${shown(unknownProperties)}`);
  }
  const isCheck = typeof refine === 'function' && !('~standard' in refine);
  if (refine && !isCheck && typeof refine['~standard']?.validate !== 'function') {
    fail('has the option refine, which is neither a function nor a Standard Schema');
  }
  checkIndexes(fail, properties, options.indexes);
  checkVersions(fail, options);
  const version = versionProperty(options);
  if (version === undefined) return;
  if (Object.hasOwn(properties, version)) fail(`declares ${shown(version)}, which is its version`);
  if (!isName(version)) {
    fail(`has the versionProperty ${shown(version)}, which is not a valid property name`);
  }
}
