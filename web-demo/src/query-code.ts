/**
 * A query as code: with this package, with the official client, and with curl.
 *
 * @module
 */

import { orderByOf, type Sort } from './rows/row-query.js';

export interface QueryToWrite {
  readonly table: string;
  readonly filter: string;
  readonly sort: Sort | undefined;
}

/** Each way to ask the query, by its name. */
export const LANGUAGES: Readonly<Record<string, (query: QueryToWrite) => string>> = {
  Entitable: entitableCode,
  '@azure/data-tables': officialCode,
  curl: curlCommand,
};

function entitableCode({ table, filter, sort }: QueryToWrite): string {
  const members = [
    filter.trim() && `filter: ${JSON.stringify(filter)}`,
    sort && `orderBy: ${JSON.stringify(orderByOf(sort))}`,
  ].filter(Boolean);
  const options = members.length > 0 ? `{ ${members.join(', ')} }` : '';
  return [
    "const account = await openAccount({ storage: indexedDbStorage('my-app') });",
    `const table = account.tableClient('${table}');`,
    `const entities = table.listEntities(${options});`,
    'for await (const entity of entities) show(entity);',
  ].join('\n');
}

function officialCode({ table, filter, sort }: QueryToWrite): string {
  const options = filter.trim() ? `{ queryOptions: { filter: ${JSON.stringify(filter)} } }` : '';
  return [
    ...noOrder('//', sort),
    `const table = TableClient.fromConnectionString(connectionString, '${table}');`,
    `const entities = table.listEntities(${options});`,
    'for await (const entity of entities) show(entity);',
  ].join('\n');
}

function curlCommand({ table, filter, sort }: QueryToWrite): string {
  return [
    ...noOrder('#', sort),
    `curl --get "https://$ACCOUNT.table.core.windows.net/${table}()?$SAS" \\`,
    ...(filter.trim() ? [`  --data-urlencode ${quoted(`$filter=${filter}`)} \\`] : []),
    "  --header 'accept: application/json;odata=minimalmetadata' \\",
    "  --header 'x-ms-version: 2019-02-02'",
  ].join('\n');
}

function noOrder(comment: string, sort: Sort | undefined): string[] {
  return sort ? [`${comment} The service has no order but that of the keys.`] : [];
}

// For a POSIX shell.
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
