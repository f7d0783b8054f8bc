import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TableClient } from '@azure/data-tables';
// @ts-expect-error -- It has no types.
import parsePrometheus from 'parse-prometheus-text-format';
import { expect, it, onTestFinished } from 'vitest';

import { startServer } from '../../../js/src/server.js';
import { ServerMetrics } from '../../../js/src/server/metrics.js';
import { FINE, listen } from '../support/table-server.js';

const request = { ms: 2, bytesIn: 3, bytesOut: 5 };

interface Sample {
  readonly value?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly buckets?: Readonly<Record<string, string>>;
  readonly count?: string;
  readonly sum?: string;
}

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly metrics: readonly Sample[];
}

/** The metrics by their names, as a parser of the format reads them. */
function parsed(text: string): Record<string, Metric> {
  const metrics = parsePrometheus(text) as readonly Metric[];
  const names = metrics.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, help, type } of metrics) expect([name, help, type]).not.toContain('');
  return Object.fromEntries(metrics.map((metric) => [metric.name, metric]));
}

it('counts requests by what they are about, without names', () => {
  const metrics = new ServerMetrics();
  for (const [method, target, status] of [
    ['GET', '/acct/Pets()?$filter=a', 200],
    ['GET', 'http://h/acct/Pets', 200],
    ['PUT', "/acct/Pets(PartitionKey='p',RowKey='r')", 204],
    ['POST', '/acct/Tables', 201],
    ['DELETE', "/acct/Tables('Pets')", undefined],
    ['POST', '/acct/$batch', 202],
    ['GET', '/acct/?comp=list', 200],
    ['NONSENSE"', '/', 400],
  ] as const) {
    metrics.add({ ...request, method, target, status });
  }
  const lines = metrics.text().split('\n');

  expect(lines.filter((line) => line.startsWith('entitable_requests_total'))).toEqual([
    'entitable_requests_total{method="GET",resource="entities",status="200"} 2',
    'entitable_requests_total{method="PUT",resource="entity",status="204"} 1',
    'entitable_requests_total{method="POST",resource="tables",status="201"} 1',
    'entitable_requests_total{method="DELETE",resource="tables",status="aborted"} 1',
    'entitable_requests_total{method="POST",resource="batch",status="202"} 1',
    'entitable_requests_total{method="GET",resource="service",status="200"} 1',
    'entitable_requests_total{method="other",resource="service",status="400"} 1',
  ]);
  expect(lines).toContain('entitable_request_bytes_total 24');
  expect(lines).toContain('entitable_response_bytes_total 40');
  expect(metrics.text()).not.toMatch(/Pets|acct/);
});

it('has a histogram whose buckets add up', () => {
  const metrics = new ServerMetrics();
  for (const ms of [1, 2, 300, 60_000]) {
    metrics.add({ ...request, method: 'GET', target: '/', status: 200, ms });
  }
  const metric = parsed(metrics.text())['entitable_request_duration_seconds']!;
  const [{ buckets, count, sum }] = metric.metrics as [Required<Sample>];

  expect(metric.type).toBe('HISTOGRAM');
  expect(['0.001', '0.0025', '0.25', '0.5', '10', '+Inf'].map((bound) => buckets[bound])).toEqual([
    '1',
    '2',
    '2',
    '3',
    '3',
    '4',
  ]);
  expect([count, Number(sum)]).toEqual(['4', 60.303]);
});

it('is beside the health check, without a signature, and refuses strange hosts', async () => {
  const metrics = new ServerMetrics();
  const server = await listen({
    handler: async () => async (incoming: { readBody(limit: number): unknown }) => {
      await incoming.readBody(100);
      return FINE(incoming as never);
    },
    metrics,
    allowsHost: (host: string) => host.startsWith('127.'),
  } as never);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await (await fetch(`${url}/acct/Pets`, { method: 'POST', body: '12345' })).text();

  const answer = await fetch(`${url}/-/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  expect(text).toContain('{method="POST",resource="entities",status="204"} 1\n');
  expect(text).toContain('entitable_request_bytes_total 5\n');
  // It does not count itself.
  expect(await (await fetch(`${url}/-/metrics`)).text()).toContain('_seconds_count 1\n');
  expect((await fetch(`${url.replace('127.0.0.1', 'localhost')}/-/metrics`)).status).toBe(421);
});

it('counts what the storage reads and writes', async () => {
  const data = mkdtempSync(join(tmpdir(), 'entitable-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const options = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };
  const start = async () => {
    const server = await startServer({ data, durability: 'relaxed' });
    onTestFinished(() => server.close());
    const pets = TableClient.fromConnectionString(server.connectionString, 'Pets', options);
    const read = async () => {
      const metrics = parsed(await (await fetch(new URL('/-/metrics', server.url))).text());
      return (name: string) => Number(metrics[`entitable_storage_${name}`]!.metrics[0]!.value);
    };
    return { server, pets, read };
  };
  const first = await start();
  await first.pets.createTable();
  const before = await first.read();
  expect(before('commits_total')).toBeGreaterThan(0);
  expect(before('flushes_total')).toBe(0);

  // More than twice as many bytes as the log has before a flush, so the flush does not wait.
  const text = 'x'.repeat(30_000);
  for (let part = 0; part < 40; part++) {
    await first.pets.submitTransaction([
      ['upsert', { partitionKey: 'p', rowKey: `${part}a`, text, more: text }, 'Replace'],
      ['upsert', { partitionKey: 'p', rowKey: `${part}b`, text }, 'Replace'],
    ]);
  }
  const after = await first.read();
  const grown = (name: string) => after(name) - before(name);
  expect(grown('log_records_total')).toBe(40);
  expect(grown('log_bytes_total')).toBeGreaterThan(40 * 90_000);
  expect(after('flushes_total')).toBeGreaterThan(0);
  expect(grown('pages_written_total')).toBeGreaterThan(0);
  expect(grown('written_bytes_total')).toBeGreaterThan(grown('log_bytes_total'));
  await first.server.close();

  const second = await start();
  await second.pets.getEntity('p', '0a');
  const once = (await second.read())('pages_read_total');
  expect(once).toBeGreaterThan(0);
  for (let time = 0; time < 20; time++) await second.pets.getEntity('p', '0a');
  // Compactions may read some, but no read of the entity does.
  expect((await second.read())('pages_read_total') - once).toBeLessThan(20);
});
