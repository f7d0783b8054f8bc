/**
 * The query of a pane: for the account, and as code.
 *
 * @module
 */

import { odata } from 'entitable';

/** The orders that a pane offers. */
export const ORDERS = {
  name: undefined,
  'price up': 'price',
  'price down': 'price desc',
} as const;

export type Order = keyof typeof ORDERS;

/** What the visitor has chosen. Without a kind, a pane shows all. */
export interface Choice {
  readonly kind: string | undefined;
  readonly order: Order;
}

/** The options of the live view. */
export function queryOf({ kind, order }: Choice) {
  const term = ORDERS[order];
  return {
    ...(kind !== undefined && { filter: odata`PartitionKey eq ${kind}` }),
    ...(term && { orderBy: [term] }),
  };
}

/** The call that makes the live view, as an app would write it. */
export function codeOf({ kind, order }: Choice): string {
  const term = ORDERS[order];
  const options = [
    ...(kind === undefined ? [] : [`filter: odata\`PartitionKey eq \${'${kind}'}\``]),
    ...(term ? [`orderBy: ['${term}']`] : []),
  ];
  const argument = options.length > 0 ? `{\n  ${options.join(',\n  ')},\n}` : '';
  return `market.liveEntities(${argument})`;
}
