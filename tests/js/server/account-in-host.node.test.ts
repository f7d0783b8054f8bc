import dns from 'node:dns';

import { AzureNamedKeyCredential, TableClient, TableServiceClient } from '@azure/data-tables';
import { expect, it, onTestFinished, vi, type Mock } from 'vitest';

import { startServer, type ServerOptions } from '../../../js/src/server.js';

const OPTIONS = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };

async function startForTest(options: ServerOptions) {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

type Lookup = (
  host: string,
  options: { readonly all?: boolean },
  done: (...found: unknown[]) => void,
) => void;

it('serves accounts whose name is in the host', async () => {
  const accounts = [
    { name: 'first', keys: ['Zmlyc3Q='] },
    { name: 'second', keys: ['c2Vjb25k'] },
  ];
  const server = await startForTest({ accounts });
  const other = await startForTest({ accounts, accountInHost: false });
  // Systems need not resolve names that end so.
  const lookup = vi.spyOn(dns, 'lookup') as unknown as Mock<Lookup>;
  lookup.mockImplementation((_, { all }, done) =>
    all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
  );
  onTestFinished(() => lookup.mockRestore());
  const { port } = new URL(server.url);
  const clientOf = (name: string, key: string) =>
    new TableServiceClient(
      `http://${name}.table.localhost:${port}`,
      new AzureNamedKeyCredential(name, key),
      OPTIONS,
    );
  const second = clientOf('second', 'c2Vjb25k');
  await second.createTable('Pets');

  expect(await second.listTables().next()).toMatchObject({ value: { name: 'Pets' } });
  // The official client asks `second-secondary.table.localhost`.
  expect(await second.getStatistics()).toMatchObject({ geoReplication: { status: 'live' } });
  expect(await clientOf('first', 'Zmlyc3Q=').listTables().next()).toMatchObject({ done: true });
  await expect(clientOf('first', 'c2Vjb25k').createTable('Pets')).rejects.toMatchObject({
    statusCode: 403,
  });
  expect(
    await TableClient.fromConnectionString(server.accounts[1]!.connectionString, 'Pets', OPTIONS)
      .listEntities()
      .next(),
  ).toEqual({
    done: true,
    value: undefined,
  });
  const metrics = await (await fetch(new URL('/-/metrics', server.url))).text();
  expect(metrics).toContain('{method="POST",resource="tables",status="201"} 1\n');
  // Such a host may also be a name like any other.
  const byPath = new TableServiceClient(
    `http://first.table.localhost:${new URL(other.url).port}/second`,
    new AzureNamedKeyCredential('second', 'c2Vjb25k'),
    OPTIONS,
  );
  await byPath.createTable('Birds');
});
