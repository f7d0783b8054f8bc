// steps.mjs - makes the steps of cases.
//
// tests/conformance/README.md explains each kind.

/** The specification names tables by one letter, which is too short for a real table. */
export const TABLE = 'Tab';

export const encode = (text) =>
  encodeURIComponent(text)
    .replaceAll("'", '%27')
    .replaceAll('%7B%7B', '{{')
    .replaceAll('%7D%7D', '}}');

const send = (method) => (target, expect, headers) => ({
  send: { method, target, ...(headers && { headers }) },
  ...(expect && { expect }),
});
const sendBody = (method) => (target, body, expect, headers) => ({
  send: { method, target, ...(headers && { headers }), body },
  ...(expect && { expect }),
});

export const get = send('GET');
export const remove = send('DELETE');
export const post = sendBody('POST');
export const put = sendBody('PUT');
export const merge = sendBody('MERGE');
export const patch = sendBody('PATCH');

export const ANY = { 'If-Match': '*' };
export const LEVEL = {
  none: { Accept: 'application/json;odata=nometadata' },
  minimal: { Accept: 'application/json;odata=minimalmetadata' },
  full: { Accept: 'application/json;odata=fullmetadata' },
};

export const createTable = (name = TABLE) => post('/Tables', `{"TableName":"${name}"}`);

/** The keys and members as JSON. */
export const entityBody = (partitionKey, rowKey, members = '') =>
  `{"PartitionKey":"${partitionKey}","RowKey":"${rowKey}"${members && `,${members}`}}`;

export const insert = (partitionKey, rowKey, members, expect, headers, table = TABLE) =>
  post(`/${table}`, entityBody(partitionKey, rowKey, members), expect, headers);

/** The address of an entity. It doubles the quotes of the keys. */
export const entityAt = (partitionKey = 'p', rowKey = 'r', table = TABLE) => {
  const text = (key) => `'${encode(key.replaceAll("'", "''"))}'`;
  return `/${table}(PartitionKey=${text(partitionKey)},RowKey=${text(rowKey)})`;
};

export const entities = (options = {}, table = TABLE) => {
  const query = Object.entries(options).map(([name, value]) => `${name}=${encode(value)}`);
  return `/${table}()${query.length > 0 ? `?${query.join('&')}` : ''}`;
};

export const filtered = (filter) => entities({ $filter: filter });

/** Repeats the step for each value of each variable. */
export const forEach = (variables, step) => ({ for: variables, ...step });

/** Expects the rows of all pages of a query. */
export const follow = (step) => ({ follow: true, ...step });

export const capturing = (capture, step) => ({ ...step, capture });
