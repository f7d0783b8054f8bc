// Auth of the specification, 5.10 and 5.11.

import { describe, expect, it, onTestFinished } from 'vitest';

import {
  createTableHandler,
  DEVELOPMENT_ACCOUNT,
  fromConnectionString,
  parseConnectionString,
} from '../../../js/src/http.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { wasmBytes } from '../support/wasm.js';

describe('a connection string', () => {
  it.each([
    [
      'DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=a2V5MQ==;EndpointSuffix=core.windows.net',
      { account: 'acct', key: 'a2V5MQ==', baseUrl: 'https://acct.table.core.windows.net' },
    ],
    [
      'accountname=acct;ACCOUNTKEY=a2V5;TableEndpoint=http://127.0.0.1:10002/acct/;BlobEndpoint=http://x;',
      { account: 'acct', key: 'a2V5', baseUrl: 'http://127.0.0.1:10002/acct' },
    ],
    [
      'TableEndpoint=https://acct.table.core.windows.net;SharedAccessSignature=?sv=2019-02-02&sig=a%3D',
      {
        account: 'acct',
        sas: 'sv=2019-02-02&sig=a%3D',
        baseUrl: 'https://acct.table.core.windows.net',
      },
    ],
    [
      'TableEndpoint=http://127.0.0.1:10002/acct;SharedAccessSignature=sig=a',
      { account: 'acct', sas: 'sig=a', baseUrl: 'http://127.0.0.1:10002/acct' },
    ],
    ['UseDevelopmentStorage=true', DEVELOPMENT_ACCOUNT],
    ['UseDevelopmentStorage=TRUE;DevelopmentStorageProxyUri=http://x;', DEVELOPMENT_ACCOUNT],
  ])('says what %s says', (text, connection) => {
    expect(parseConnectionString(text)).toEqual(connection);
  });

  it.each([
    '',
    'AccountName',
    'AccountName=acct',
    'AccountKey=a2V5',
    'UseDevelopmentStorage=false',
  ])('is not "%s"', (text) => {
    expect(() => parseConnectionString(text)).toThrow(TypeError);
  });

  it('opens an account that its clients reach', async () => {
    const text = 'AccountName=acct;AccountKey=a2V5;TableEndpoint=http://127.0.0.1:10002/acct';
    const wasm = await WebAssembly.compile(await wasmBytes());
    const account = await fromConnectionString(text, { storage: memoryStorage(), wasm });
    onTestFinished(() => account.close());
    const handler = createTableHandler(account, { authentication: 'anonymous' });
    const answer = await handler(
      new Request('http://127.0.0.1:10002/acct/Tables', {
        headers: { Accept: 'application/json;odata=fullmetadata' },
      }),
    );

    expect(await answer.text()).toContain('http://127.0.0.1:10002/acct/$metadata#Tables');
  });
});
