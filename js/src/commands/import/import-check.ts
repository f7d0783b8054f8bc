/**
 * Checks the entities of a dry run by the rules of the service.
 *
 * @module
 */

import { TableError } from '../../base/errors.js';
import type { CoreIssue } from '../../base/issue.js';
import type { TableEntity } from '../../entity/entities.js';
import { SERVER_MODULE } from '../../server/server-module.js';
import { loadValidatorWith } from '../../validation/load-validator.js';
import type { Validator } from '../../validation/validator.js';

/** What checks entities, and knows the keys that it has seen. */
export interface RowChecker {
  readonly validator: Validator;
  readonly keys: Set<string>;
}

/** @throws {@link TableError} with the code of the first rule that the name of the table breaks. */
export async function checkerFor(table: string | undefined): Promise<RowChecker> {
  const validator = await loadValidatorWith(SERVER_MODULE, undefined);
  refuseFirst(table === undefined ? [] : validator.validateTableName(table));
  return { validator, keys: new Set() };
}

/**
 * @returns whether an earlier row has its keys.
 * @throws {@link TableError} with the code of the first rule that the entity breaks.
 */
export function isRepeated({ validator, keys }: RowChecker, entity: TableEntity): boolean {
  refuseFirst(validator.validateEntity(entity));
  // Keys have no control characters, so different pairs have different texts.
  const pair = `${entity.partitionKey}\n${entity.rowKey}`;
  if (keys.has(pair)) return true;
  keys.add(pair);
  return false;
}

function refuseFirst([broken]: readonly CoreIssue[]): void {
  if (broken) throw new TableError(broken.code, broken.message, { issues: [broken] });
}
