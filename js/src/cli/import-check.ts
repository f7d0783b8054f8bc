/**
 * Checks the entities of a dry run by the rules of the service.
 *
 * @module
 */

import { TableError } from '../base/errors.js';
import type { TableEntity } from '../entity/entities.js';
import { loadValidatorWith, type Validator } from '../validation/validator.js';
import { SERVER_MODULE } from './server-module.js';

/** What checks entities, and knows the keys that it has seen. */
export interface RowChecker {
  readonly validator: Validator;
  readonly keys: Set<string>;
}

export async function checker(): Promise<RowChecker> {
  return { validator: await loadValidatorWith(SERVER_MODULE, undefined), keys: new Set() };
}

/**
 * @returns whether an earlier row has its keys.
 * @throws {@link TableError} with the code of the first rule that the entity breaks.
 */
export function isRepeated({ validator, keys }: RowChecker, entity: TableEntity): boolean {
  const [broken] = validator.validateEntity(entity);
  if (broken) throw new TableError(broken.code, broken.explanation);
  // Keys have no control characters, so different pairs have different texts.
  const pair = `${entity.partitionKey}\n${entity.rowKey}`;
  if (keys.has(pair)) return true;
  keys.add(pair);
  return false;
}
