import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';

import { ServerMetrics } from '../../../js/src/cli/metrics.js';
import { FINE, listen } from '../support/table-server.js';

const request = { seconds: 0.002, bytesIn: 3, bytesOut: 5 };

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
  for (const seconds of [0.001, 0.002, 0.3, 60]) {
    metrics.add({ ...request, method: 'GET', target: '/', status: 200, seconds });
  }
  const text = metrics.text();
  const bucket = (bound: string) =>
    Number(new RegExp(`_bucket\\{le="${bound.replace('+', '\\+')}"\\} (\\d+)`).exec(text)?.[1]);

  expect(['0.001', '0.0025', '0.25', '0.5', '10', '+Inf'].map(bucket)).toEqual([1, 2, 2, 3, 3, 4]);
  expect(text).toContain('entitable_request_duration_seconds_count 4\n');
  expect(text).toContain('# TYPE entitable_request_duration_seconds histogram\n');
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
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  const text = await answer.text();
  expect(text).toContain('{method="POST",resource="entities",status="204"} 1\n');
  expect(text).toContain('entitable_request_bytes_total 5\n');
  // It does not count itself.
  expect(await (await fetch(`${url}/-/metrics`)).text()).toContain('_seconds_count 1\n');
  expect((await fetch(`${url.replace('127.0.0.1', 'localhost')}/-/metrics`)).status).toBe(421);
});
