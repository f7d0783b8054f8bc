/**
 * Shows the code of the query on the screen.
 *
 * @module
 */

import { byId } from './dom.js';

export function showCode(table: string, filter: string, pageSize: number): void {
  const options = filter.trim() ? `{ filter: ${JSON.stringify(filter)} }` : '';
  byId('code', HTMLElement).textContent = [
    "const account = await openAccount({ storage: indexedDbStorage('my-app') });",
    `const table = account.tableClient('${table}');`,
    `const entities = table.listEntities(${options});`,
    `for await (const page of entities.byPage({ maxPageSize: ${pageSize} })) {`,
    '  show(page);',
    '}',
  ].join('\n');
}
