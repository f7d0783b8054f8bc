/**
 * A query as code: with this package, with the official client, and with curl.
 *
 * @module
 */

import { MOST_FOUND } from './rows/found-rows.js';
import { orderByOf, type RowQuery, type Search } from './rows/row-query.js';

export interface QueryToWrite extends RowQuery {
  readonly table: string;
}

/** Each way to ask the query, by its name. */
export const LANGUAGES: Readonly<Record<string, (query: QueryToWrite) => string>> = {
  Entitable: entitableCode,
  '@azure/data-tables': officialCode,
  curl: curlCommand,
};

function entitableCode(query: QueryToWrite): string {
  return [
    "const account = await openAccount({ storage: indexedDbStorage('my-app') });",
    `const table = account.tableClient('${query.table}');`,
    ...(query.search ? searchCode(query.search, query.filter) : listCode(query)),
  ].join('\n');
}

function listCode({ filter, sort }: QueryToWrite): string[] {
  const options = optionsOf([
    filter.trim() && `filter: ${JSON.stringify(filter)}`,
    sort && `orderBy: ${JSON.stringify(orderByOf(sort))}`,
  ]);
  return [
    `const entities = table.listEntities(${options});`,
    'for await (const entity of entities) show(entity);',
  ];
}

function searchCode({ property, words, match }: Search, filter: string): string[] {
  const options = optionsOf([
    `top: ${MOST_FOUND}`,
    match === 'any' && "match: 'any'",
    filter.trim() && `filter: ${JSON.stringify(filter)}`,
  ]);
  return [
    `const found = await table.search('${property}', ${JSON.stringify(words)}, ${options});`,
    'for (const { entity, score } of found) show(entity, score);',
  ];
}

function optionsOf(members: readonly (string | false | undefined)[]): string {
  const given = members.filter(Boolean);
  return given.length > 0 ? `{ ${given.join(', ')} }` : '';
}

function officialCode(query: QueryToWrite): string {
  const { table, filter } = query;
  const options = filter.trim() ? `{ queryOptions: { filter: ${JSON.stringify(filter)} } }` : '';
  return [
    ...missing('//', query),
    `const table = TableClient.fromConnectionString(connectionString, '${table}');`,
    `const entities = table.listEntities(${options});`,
    'for await (const entity of entities) show(entity);',
  ].join('\n');
}

function curlCommand(query: QueryToWrite): string {
  const { table, filter } = query;
  return [
    ...missing('#', query),
    `curl --get "https://$ACCOUNT.table.core.windows.net/${table}()?$SAS" \\`,
    ...(filter.trim() ? [`  --data-urlencode ${quoted(`$filter=${filter}`)} \\`] : []),
    "  --header 'accept: application/json;odata=minimalmetadata' \\",
    "  --header 'x-ms-version: 2019-02-02'",
  ].join('\n');
}

// What the service cannot do.
function missing(comment: string, { sort, search }: QueryToWrite): string[] {
  if (search) return [`${comment} The service cannot search for words.`];
  return sort ? [`${comment} The service has no order but that of the keys.`] : [];
}

// For a POSIX shell.
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
