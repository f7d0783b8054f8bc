// The official client without a network, in Node and in a browser.

import { TableClient, TableServiceClient } from '@azure/data-tables';
import { describe, expect, it } from 'vitest';

import { createTableHandler, inProcessHttpClient } from '../../../js/src/http.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { testOfficialClient, type OfficialClients } from '../support/official-client.js';
import { testOfficialSamples } from '../support/official-samples.js';

const BASE = 'http://127.0.0.1:10002/devstoreaccount1';

async function openInProcess() {
  const account = await openForTest({
    storage: memoryStorage(),
  });
  return inProcessHttpClient(createTableHandler(account, { authentication: 'anonymous' }));
}

async function openClients(): Promise<OfficialClients> {
  const options = {
    httpClient: await openInProcess(),
    allowInsecureConnection: true,
    retryOptions: { maxRetries: 0 },
  };
  return {
    service: new TableServiceClient(BASE, options),
    secondary: new TableServiceClient(`${BASE}-secondary`, options),
    table: (name) => new TableClient(BASE, name, options),
  };
}

describe('in process', () => {
  testOfficialClient(openClients);
  testOfficialSamples(openClients);
});

describe('the client in process', () => {
  it('returns headers by names in any case, which can be changed', async () => {
    const client = await openInProcess();
    const headers = { toJSON: () => ({ Accept: 'application/json;odata=nometadata' }) };

    const answer = await client.sendRequest({
      url: `${BASE}/Tables`,
      method: 'GET',
      headers: headers as never,
    });

    expect(answer.bodyAsText).toBe('{"value":[]}');
    expect(answer.headers.get('CONTENT-TYPE')).toMatch(/nometadata/);
    expect(answer.headers.get('none')).toBeUndefined();
    answer.headers.set('A', 1);
    expect(answer.headers.has('a')).toBe(true);
    answer.headers.delete('A');
    expect(Object.keys(answer.headers.toJSON())).toEqual([...answer.headers].map(([name]) => name));
  });

  it('refuses a body that it cannot pass on as a whole', async () => {
    const client = inProcessHttpClient(() => Promise.resolve(new Response()));
    const request = { url: BASE, method: 'POST', headers: { toJSON: () => ({}) }, body: {} };

    await expect(client.sendRequest(request as never)).rejects.toThrow(TypeError);
  });
});
