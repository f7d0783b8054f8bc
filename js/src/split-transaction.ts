/**
 * More actions than one transaction has.
 *
 * @module
 */

import type { remade, TableError } from './errors.js';
import type {
  TableTransactionEntityResponse,
  TableTransactionResponse,
  TransactionAction,
} from './models.js';

const MAX_ACTIONS = 100;

interface Errors {
  readonly TableError: typeof TableError;
  readonly remade: typeof remade;
}

/**
 * See `SubmitTransactionOptions.split`. Actions keep their order within a partition; partitions come
 * in that of their first action.
 *
 * @param errors - the class of errors and what makes them anew, handed in because as an import they
 * would become another script.
 */
export async function submitSplit(
  submit: (actions: TransactionAction[]) => Promise<TableTransactionResponse>,
  errors: Errors,
  actions: readonly TransactionAction[],
): Promise<TableTransactionResponse> {
  const responses = new Array<TableTransactionEntityResponse>(actions.length);
  let stored = 0;
  for (const part of partsOf(actions)) {
    try {
      const { subResponses } = await submit(part.map((index) => actions[index]!));
      subResponses.forEach((response, i) => (responses[part[i]!] = response));
      stored += part.length;
    } catch (error) {
      throw withPlace(error, errors, part, stored);
    }
  }
  return {
    status: 202,
    subResponses: responses,
    getResponseForEntity: (rowKey) => responses.find((response) => response.rowKey === rowKey),
  };
}

// The indexes of the actions of each transaction: of one partition, and no entity twice.
function partsOf(actions: readonly TransactionAction[]): number[][] {
  const parts: number[][] = [];
  const open = new Map<unknown, { part: number[]; rowKeys: Set<unknown> }>();
  actions.forEach((action, index) => {
    const { partitionKey, rowKey } = action[1];
    let last = open.get(partitionKey);
    if (!last || last.part.length === MAX_ACTIONS || last.rowKeys.has(rowKey)) {
      last = { part: [], rowKeys: new Set() };
      open.set(partitionKey, last);
      parts.push(last.part);
    }
    last.part.push(index);
    last.rowKeys.add(rowKey);
  });
  return parts;
}

// The index among all actions, and how many of them are stored.
function withPlace(
  error: unknown,
  errors: Errors,
  part: readonly number[],
  stored: number,
): unknown {
  if (!(error instanceof errors.TableError)) return error;
  const { operationIndex: index } = error.details;
  return errors.remade(error, {
    operationIndex: index === undefined ? undefined : part[index],
    stored,
  });
}
