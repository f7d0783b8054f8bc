/**
 * How typed clients write the rows of a table, and read them.
 *
 * @module
 */

import { TableError } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import type { Violation } from '../base/violation.js';
import { apiName, define, wireName } from '../entity/json.js';
import type { RowForm } from '../entity/row-form.js';
import { copyOf, entityOf, fillDefaults, rowOf, rulesOf } from './stored-rows.js';
import { upgraded } from './upgrade.js';
import { coreViolations, ownIssues, whenKnown, type CheckedTable, type Issue } from './validate.js';

type Values = Record<string, unknown>;

/** Makes the form of the rows of a table. */
export function rowFormOf(table: CheckedTable): RowForm {
  const { properties, options, bytes } = table;
  return {
    schema: bytes,
    hasVersions: options.version !== undefined,
    rulesOf: (name) => rulesOf(properties, name),
    stored<T extends object>(given: T, isPart: boolean): T | Promise<T> {
      // The client refuses it, with a message of its own.
      if (!isObject(given)) return given;
      const copy = copyOf(properties, given, options.unknownProperties === 'drop');
      if (!isPart) fillDefaults(properties, copy);
      const entity = entityOf(table, copy);
      return whenKnown(ownIssues(table, copy, isPart), (found) => {
        if (found.length) throw refusal(coreViolations(table, entity, isPart), found);
        return entity as T;
      });
    },
  };
}

/**
 * Returns the row of an entity; with the selected properties alone, if there is a selection.
 *
 * @throws {@link TableError} `SchemaVersionTooNew`; `SchemaViolation`, if its version or its
 * upgrade is wrong.
 */
export function readRow(
  table: CheckedTable,
  entity: object,
  select: readonly string[] | undefined,
): Values {
  const { properties, options } = table;
  const plain = rowOf(properties, entity);
  const isWhole = plain['timestamp'] !== undefined;
  // A deletion has only its keys.
  if (!select && !isWhole) return plain;
  const hasVersion = options.version !== undefined && isWhole;
  const check = (row: Values) => violationsOf(table, row);
  const newest = hasVersion ? rowOf(properties, upgraded(options, plain, check)) : plain;
  fillDefaults(properties, newest, select);
  return select && hasVersion ? picked(newest, select) : newest;
}

// Without the defaults that are missing, because a function would make them twice.
function violationsOf(table: CheckedTable, upgradedRow: Values): readonly Violation[] {
  const { properties, options } = table;
  const row = rowOf(properties, upgradedRow);
  const written = copyOf(properties, row, options.unknownProperties === 'drop');
  return coreViolations(table, entityOf(table, written), false);
}

function picked(row: Values, select: readonly string[]): Values {
  const values: Values = {};
  for (const name of ['etag', ...select.map((one) => apiName(wireName(one)))]) {
    if (row[name] !== undefined) define(values, name, row[name]);
  }
  return values;
}

// The first violation decides the code, as in the core.
function refusal(ofCore: readonly Violation[], own: readonly Issue[]): TableError {
  const broken = new Set<unknown>(ofCore.map(({ path }) => path));
  // Rules of one property, unless another one is broken already.
  const others = own.filter(({ rule, path }) => !rule || !broken.has(path?.[0]));
  const violations = [...ofCore, ...others.map(violationOf)];
  const { code, message } = violations[0]!;
  return new TableError(code, message, { violations });
}

function violationOf({ rule = 'schema-refine', message, path }: Issue): Violation {
  const [step] = path ?? [];
  const name = typeof step === 'object' ? step.key : step;
  return {
    rule,
    code: 'SchemaViolation',
    message,
    explanation: message,
    ...(name === undefined ? {} : { path: String(name) }),
  };
}
