/**
 * Shows the code of the query on the screen.
 *
 * @module
 */

import { orderByOf, type Sort } from '../entity-query.js';
import { byId } from './dom.js';

export interface ShownQuery {
  readonly table: string;
  readonly filter: string;
  readonly sort: Sort | undefined;
  readonly pageSize: number;
}

export function showCode({ table, filter, sort, pageSize }: ShownQuery): void {
  const members = [
    filter.trim() && `filter: ${JSON.stringify(filter)}`,
    sort && `orderBy: ${JSON.stringify(orderByOf(sort))}`,
  ].filter(Boolean);
  const options = members.length > 0 ? `{ ${members.join(', ')} }` : '';
  byId('code', HTMLElement).textContent = [
    "const account = await openAccount({ storage: indexedDbStorage('my-app') });",
    `const table = account.tableClient('${table}');`,
    `const entities = table.listEntities(${options});`,
    `for await (const page of entities.byPage({ maxPageSize: ${pageSize} })) {`,
    '  show(page);',
    '}',
  ].join('\n');
}
