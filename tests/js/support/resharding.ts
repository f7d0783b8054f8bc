// resharding.ts - a small account over several, and steps to another number of them.

import { expect } from 'vitest';

import { JSON_HEADERS, type Sharded } from './shards.js';

/** How far a resharding is. */
export interface Status {
  readonly shards: number;
  readonly state?: string;
  readonly to?: number;
  readonly copied?: number;
}

const PARTITIONS = Array.from({ length: 5 }, (_, at) => `p${at}`);

/** Takes steps until the account has so many shards. */
export async function advance({ reshard }: Sharded, to: number): Promise<Status> {
  return await untilDone(() => reshard('POST', to));
}

/** Goes back, until the account is as it was. */
export async function cancel({ reshard }: Sharded): Promise<Status> {
  await untilAnswered(() => reshard('DELETE'));
  return await untilDone(() => reshard('POST'));
}

async function untilAnswered(ask: () => Promise<Response>): Promise<Status> {
  for (let tries = 0; tries < 50; tries++) {
    const answer = await ask().catch(() => undefined);
    if (answer?.ok) return (await answer.json()) as Status;
  }
  throw new Error('It has no answer.');
}

async function untilDone(ask: () => Promise<Response>): Promise<Status> {
  for (let steps = 0; steps < 200; steps++) {
    const status = await untilAnswered(ask);
    if (status.state === undefined) return status;
  }
  throw new Error('It does not end.');
}

export async function fill({ send }: Sharded): Promise<void> {
  for (const TableName of ['Pets', 'Logs', 'Empty']) {
    const body = JSON.stringify({ TableName });
    expect((await send('POST', '/Tables', { headers: JSON_HEADERS, body })).status).toBe(201);
  }
  for (const table of ['Pets', 'Logs']) {
    for (const PartitionKey of PARTITIONS) {
      const body = JSON.stringify({ PartitionKey, RowKey: 'r', value: `${table} ${PartitionKey}` });
      expect((await send('POST', `/${table}`, { headers: JSON_HEADERS, body })).status).toBe(201);
    }
  }
}

export async function rowsIn({ send }: Sharded, table: string): Promise<Record<string, unknown>[]> {
  const headers = { Accept: 'application/json;odata=minimalmetadata' };
  const rows: Record<string, unknown>[] = [];
  for (let query = ''; ;) {
    const answer = await send('GET', `/${table}${query}`, { headers });
    expect(answer.status).toBe(200);
    rows.push(...((await answer.json()) as { value: Record<string, unknown>[] }).value);
    const tokens = ['NextPartitionKey', 'NextRowKey'].map((name) => [
      name,
      answer.headers.get(`x-ms-continuation-${name}`)!,
    ]);
    // A copy is written anew.
    if (tokens[0]![1] === null)
      return rows.map(({ Timestamp: _, 'odata.etag': __, ...row }) => row);
    query = `?${new URLSearchParams(tokens)}`;
  }
}

export async function insert({ send }: Sharded, table: string, row: Record<string, unknown>) {
  const answer = await send('POST', `/${table}`, {
    headers: JSON_HEADERS,
    body: JSON.stringify(row),
  });
  return answer.status;
}
