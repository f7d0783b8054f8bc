// The official client over HTTP, at a server, with an account for each test.

import { AzureNamedKeyCredential, TableClient, TableServiceClient } from '@azure/data-tables';
import { describe } from 'vitest';

import { DEVELOPMENT_ACCOUNT } from '../../js/src/http.js';
import { testOfficialClient, type OfficialClients } from '../js/support/official-client.js';
import { testOfficialSamples } from '../js/support/official-samples.js';
import { nameAt, ownAccount } from './support/remotes.js';

const options = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };

async function openClients(): Promise<OfficialClients> {
  const url = await ownAccount();
  const [account, key] = [nameAt(url), DEVELOPMENT_ACCOUNT.key];
  const endpoint = `DefaultEndpointsProtocol=http;TableEndpoint=${url}`;
  const connectionString = `${endpoint};AccountName=${account};AccountKey=${key}`;
  const credential = new AzureNamedKeyCredential(account, key);
  return {
    secondary: new TableServiceClient(`${url}-secondary`, credential, options),
    service: TableServiceClient.fromConnectionString(connectionString, options),
    table: (name) => TableClient.fromConnectionString(connectionString, name, options),
  };
}

describe('at a server', () => {
  testOfficialClient(openClients);
  testOfficialSamples(openClients);
});
