// expectations.ts - compares an answer with the expectations of a conformance case.

import type { Expectation } from './files.js';
import { expand, matchesPattern, type Variables } from './macros.js';

type JsonObject = Record<string, unknown>;

/** One answer, as a client sees it. */
export interface HttpView {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The result of a step: one answer, or the pages of a query. */
export interface Observed {
  readonly pages: readonly [HttpView, ...HttpView[]];
  readonly examined: number;
}

/** The result of a transaction. */
export type TransactionView =
  | {
      readonly status: number;
      readonly parts: readonly { status: number; etag?: string; body?: string }[];
    }
  | {
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly operation: number | undefined;
    };

/** One line for each member of the expectation that does not hold. */
export function mismatches(
  { pages, examined }: Observed,
  expect: Expectation,
  variables: Variables,
): string[] {
  const [answer] = pages;
  const body = parsed(answer.body);
  const failed = answer.status >= 400 ? answer.body : failedPart(answer.body);
  return [
    ...statusMismatch(expect.status, answer.status),
    ...(failed === undefined ? [] : errorMismatches({ ...answer, body: failed }, expect)),
    ...(expect.parts ? differ('parts', expect.parts, partStatuses(answer.body)) : []),
    ...headerMismatches(answer, expect, variables),
    ...textMismatches(answer.body, expect, variables),
    ...(body ? objectMismatches(body, expect, variables) : []),
    ...feedMismatches(pages, expect, variables),
    ...(examined > (expect.examined ?? Infinity) ? [`examined ${examined} entities`] : []),
  ];
}

/** The body of the part that failed, in the answer to a batch. */
export function failedPart(body: string): string | undefined {
  return /^HTTP\/1\.1 [45].*?\r\n\r\n(.*?)\r\n--/ms.exec(body)?.[1];
}

const partStatuses = (body: string) =>
  [...body.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));

export function transactionMismatches(view: TransactionView, expect: Expectation): string[] {
  const found = statusMismatch(expect.status, view.status);
  if ('code' in view) {
    found.push(...codeMismatch(expect.code, view.code), ...messageMismatches(view.message, expect));
    if (expect.operation !== undefined)
      found.push(...differ('operation', expect.operation, view.operation));
    return found;
  }
  const statuses = view.parts.map(({ status }) => status);
  if (expect.parts) found.push(...differ('parts', expect.parts, statuses));
  if (expect.etags) {
    found.push(
      ...differ(
        'etags',
        expect.etags,
        view.parts.map(({ etag }) => etag !== undefined),
      ),
    );
  }
  return found;
}

const shortened = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 400);

// Members in any order.
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sortedKeys(member)]),
  );
}

function differ(what: string, expected: unknown, found: unknown): string[] {
  const isSame = JSON.stringify(sortedKeys(expected)) === JSON.stringify(sortedKeys(found));
  return isSame ? [] : [`${what}: expected ${shortened(expected)}, found ${shortened(found)}`];
}

function parsed(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}

// ------------------------------------------------------------ status and errors

function statusMismatch(expected: Expectation['status'], found: number): string[] {
  if (expected === undefined) return [];
  const holds = [expected]
    .flat()
    .some((one) => one === found || one === `${Math.trunc(found / 100)}xx`);
  return holds ? [] : differ('status', expected, found);
}

function codeMismatch(expected: Expectation['code'], found: string): string[] {
  return expected === undefined || [expected].flat().includes(found)
    ? []
    : differ('code', expected, found);
}

function messageMismatches(
  message: string,
  { message: start = '', messageHas = [] }: Expectation,
): string[] {
  return [
    ...(message.startsWith(start) ? [] : differ('message', start, message)),
    ...messageHas
      .filter((piece) => !message.includes(piece))
      .flatMap((piece) => differ('message', piece, message)),
  ];
}

function errorMismatches(answer: HttpView, expect: Expectation): string[] {
  if (expect.form === 'xml') {
    const code = /<m:code>(.*?)<\/m:code>/.exec(answer.body)?.[1] ?? '';
    const message = /"en-US">(.*?)<\/m:message>/s.exec(answer.body)?.[1] ?? '';
    return [
      ...codeMismatch(expect.code, code),
      ...differ('Content-Type', 'application/xml', answer.headers.get('content-type')),
      ...differ('x-ms-error-code', code, answer.headers.get('x-ms-error-code')),
      ...messageMismatches(message, expect),
    ];
  }
  const error = parsed(answer.body)?.['odata.error'] as
    { code: string; message: { value: string } } | undefined;
  if (!error) return [`expected an error, found ${shortened(answer.body)}`];
  const { code, message } = error;
  const identity = `\nRequestId:${answer.headers.get('x-ms-request-id')}\nTime:`;
  return [
    ...codeMismatch(expect.code, code),
    ...messageMismatches(message.value, expect),
    ...(message.value.includes(identity) ? [] : differ('message', identity, message.value)),
  ];
}

// ------------------------------------------------------------- headers and texts

function headerMismatches(
  { headers: found }: HttpView,
  { headers = {}, headersHave = {} }: Expectation,
  variables: Variables,
): string[] {
  const wrong = Object.entries(headers).flatMap(([name, expected]) => {
    const value = found.get(name.toLowerCase());
    if (typeof expected === 'string') return differ(name, expand(expected, variables), value);
    return (value !== undefined) === (expected === true) ? [] : differ(name, expected, value);
  });
  const without = Object.entries(headersHave).filter(
    ([name, piece]) => !found.get(name.toLowerCase())?.includes(piece),
  );
  return [...wrong, ...without.map(([name, piece]) => `${name} is missing ${piece}`)];
}

function textMismatches(body: string, expect: Expectation, variables: Variables): string[] {
  const count = (piece: string) => body.split(expand(piece, variables)).length - 1;
  const lines = [
    ...(expect.has ?? [])
      .filter((piece) => count(piece) === 0)
      .map((piece) => `is missing ${piece}`),
    ...(expect.hasNot ?? []).filter((piece) => count(piece) > 0).map((piece) => `has ${piece}`),
    ...(expect.once ?? [])
      .filter((piece) => count(piece) !== 1)
      .map((piece) => `not once: ${piece}`),
  ];
  if (expect.body !== undefined) {
    const pattern = expand(expect.body, variables);
    if (!matchesPattern(body, pattern)) lines.push(...differ('body', pattern, body));
  }
  return lines.map((line) => line.slice(0, 1000));
}

// ----------------------------------------------------------------------- objects

const isCustom = (name: string) =>
  !/^(odata\.|Timestamp)/.test(name) && name !== 'PartitionKey' && name !== 'RowKey';

function expandedValue(value: unknown, variables: Variables): unknown {
  return typeof value === 'string' ? expand(value, variables) : value;
}

function objectMismatches(object: JsonObject, expect: Expectation, variables: Variables): string[] {
  const names = Object.keys(object);
  const members = { ...expect.members, ...expect.custom };
  const found = Object.entries(members).flatMap(([name, value]) =>
    names.includes(name)
      ? differ(name, expandedValue(value, variables), object[name])
      : [`is missing member ${name}`],
  );
  const custom = names.filter(isCustom);
  if (expect.custom) {
    const known = expect.custom;
    found.push(...custom.filter((name) => !(name in known)).map((name) => `has member ${name}`));
  }
  if (expect.customCount !== undefined) {
    found.push(...differ('count of custom members', expect.customCount, custom.length));
  }
  for (const [name, end] of Object.entries(expect.memberEnds ?? {})) {
    if (!String(object[name]).endsWith(end)) found.push(...differ(name, end, object[name]));
  }
  found.push(
    ...(expect.present ?? [])
      .filter((name) => !names.includes(name))
      .map((name) => `is missing ${name}`),
  );
  found.push(
    ...(expect.absent ?? []).filter((name) => names.includes(name)).map((name) => `has ${name}`),
  );
  if (expect.only) found.push(...differ('names', [...expect.only].sort(), [...names].sort()));
  if (expect.order)
    found.push(...differ('order', expect.order, names.slice(0, expect.order.length)));
  return found;
}

// ------------------------------------------------------------------------- feeds

function feedMismatches(
  pages: readonly HttpView[],
  expect: Expectation,
  variables: Variables,
): string[] {
  const perPage = pages.map(({ body }) => (parsed(body)?.['value'] ?? []) as JsonObject[]);
  const elements = perPage.flat();
  const keys = elements.map(
    (element) => [element['PartitionKey'], element['RowKey']] as [string, string],
  );
  const found: string[] = [];
  const compare = (what: keyof Expectation, value: () => unknown) => {
    if (expect[what] !== undefined) found.push(...differ(what, expect[what], value()));
  };
  compare('rows', () => keys.map(([, rowKey]) => rowKey));
  if (expect.rowsOneOf) {
    const rows = JSON.stringify(keys.map(([, rowKey]) => rowKey));
    const holds = expect.rowsOneOf.some((one) => JSON.stringify(one) === rows);
    if (!holds) found.push(`rowsOneOf: expected ${shortened(expect.rowsOneOf)}, found ${rows}`);
  }
  compare('keys', () => keys);
  compare('tables', () => elements.map((element) => element['TableName']));
  compare('count', () => elements.length);
  compare('pages', () => perPage.map((page) => page.length));
  compare('isSorted', () =>
    keys.every((key, i) => {
      const [partition, row] = keys[i - 1] ?? [];
      if (partition === undefined || row === undefined) return true;
      return partition < key[0] || (partition === key[0] && row < key[1]);
    }),
  );
  if (expect.elements) {
    found.push(...differ('elements', expect.elements.length, elements.length));
    const pairs = expect.elements.map((expected, i) => [expected, elements[i]] as const);
    for (const [expected, element] of pairs) {
      if (element) found.push(...objectMismatches(element, expected, variables));
    }
  }
  return found;
}
