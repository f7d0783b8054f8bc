// The official client over HTTP, at a server of its own for each test.

import { AzureNamedKeyCredential, TableClient, TableServiceClient } from '@azure/data-tables';
import { describe } from 'vitest';

import { testOfficialClient, type OfficialClients } from '../js/support/official-client.js';
import { testOfficialSamples } from '../js/support/official-samples.js';
import { serve } from '../package/support/serve.js';

const options = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };

async function openClients(): Promise<OfficialClients> {
  const { connectionString } = await serve('--in-memory', '--quiet');
  const setting = (name: string) => new RegExp(`${name}=([^;]+)`).exec(connectionString)![1]!;
  const key = new AzureNamedKeyCredential(setting('AccountName'), setting('AccountKey'));
  return {
    secondary: new TableServiceClient(`${setting('TableEndpoint')}-secondary`, key, options),
    service: TableServiceClient.fromConnectionString(connectionString, options),
    table: (name) => TableClient.fromConnectionString(connectionString, name, options),
  };
}

describe('at a server', () => {
  testOfficialClient(openClients);
  testOfficialSamples(openClients);
});
