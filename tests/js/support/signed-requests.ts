// signed-requests.ts - an account behind a handler, new for each test of a file that calls
// useSignedRequests(), and requests with shared access signatures.

import { afterEach, beforeEach, vi } from 'vitest';

import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import {
  createTableHandler,
  generateAccountSas,
  generateTableSas,
  type AccountSasOptions,
  type TableSasOptions,
} from '../../../js/src/http.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from './accounts.js';

export const ACCOUNT = 'devstoreaccount1';
export const KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
export const BASE = `https://127.0.0.1:10002/${ACCOUNT}`;
export const ANY = { 'If-Match': '*' };

export let account: TableServiceClient;
export let send: (
  method: string,
  path: string,
  sas: string,
  init?: { headers?: Record<string, string>; body?: string },
) => Promise<Response>;

export function useSignedRequests(): void {
  beforeEach(async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2024-01-02T03:04:05Z'));
    account = await openForTest({ storage: memoryStorage() });
    await account.createTable('People');
    await account.createTable('Other');
    const authentication = { account: ACCOUNT, keys: [KEY] };
    const handler = createTableHandler(account, { authentication });
    send = (method, path, sas, { headers, body } = {}) =>
      handler(
        new Request(`${BASE}${path}${path.includes('?') ? '&' : '?'}${sas}`, {
          method,
          headers: { 'Content-Type': 'application/json', ...headers },
          ...(body !== undefined && { body }),
        }),
      );
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
}

export const tableSas = (options: Partial<TableSasOptions> = {}) =>
  generateTableSas({
    account: ACCOUNT,
    key: KEY,
    table: 'People',
    permissions: 'raud',
    expiresOn: '2030-01-01T00:00:00Z',
    ...options,
  });
export const accountSas = (options: Partial<AccountSasOptions> = {}) =>
  generateAccountSas({
    account: ACCOUNT,
    key: KEY,
    permissions: 'rwdlacu',
    resourceTypes: 'sco',
    expiresOn: '2030-01-01T00:00:00Z',
    ...options,
  });

/** "403 AuthorizationFailure", or the status alone of a success. */
export async function outcomeOf(response: Response | Promise<Response>): Promise<string> {
  const answer = await response;
  const text = await answer.text();
  if (answer.status < 400) return `${answer.status}`;
  // Who is not authenticated gets XML, unless it asks for JSON.
  const given = answer.headers.get('x-ms-error-code');
  if (given !== null) return `${answer.status} ${given}`;
  const { code } = (JSON.parse(text) as { 'odata.error': { code: string } })['odata.error'];
  return `${answer.status} ${code}`;
}

export const entity = (partitionKey: string, rowKey: string) =>
  JSON.stringify({ PartitionKey: partitionKey, RowKey: rowKey, A: 1 });
export const at = (partitionKey: string, rowKey: string, table = 'People') =>
  `/${table}(PartitionKey='${partitionKey}',RowKey='${rowKey}')`;

export async function store(...keys: [string, string][]): Promise<void> {
  const people = account.tableClient('People');
  for (const [partitionKey, rowKey] of keys) await people.upsertEntity({ partitionKey, rowKey });
}

export async function rowsOf(response: Response): Promise<string[]> {
  const { value } = (await response.json()) as { value: Record<string, string>[] };
  return value.map(({ PartitionKey, RowKey }) => `${PartitionKey}${RowKey}`);
}

export const NOT_ALLOWED = '403 AuthorizationPermissionMismatch';
