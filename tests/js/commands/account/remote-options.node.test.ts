import { describe, expect, it } from 'vitest';

import { placeOf } from '../../../../js/src/commands/account/remote-options.js';
import { UsageError } from '../../../../js/src/commands/line/options.js';

const URL = 'https://contoso.table.core.windows.net';
const KEY = 'c2VjcmV0IQ==';
const SAS = 'sv=2019-02-02&sig=c2VjcmV0';
const CONNECTION = `DefaultEndpointsProtocol=https;AccountName=contoso;AccountKey=${KEY};EndpointSuffix=core.windows.net`;

describe('the storage account of a command', () => {
  it.each([
    ['a key', URL, { AZURE_STORAGE_KEY: KEY }, { url: URL, account: 'contoso', key: KEY }],
    [
      'a key for an address that does not name the account',
      'https://tables.example',
      { AZURE_STORAGE_KEY: KEY, AZURE_STORAGE_ACCOUNT: 'contoso' },
      { url: 'https://tables.example', account: 'contoso', key: KEY },
    ],
    ['a signature', URL, { AZURE_STORAGE_SAS_TOKEN: `?${SAS}` }, { url: URL, sas: `?${SAS}` }],
    ['a signature in the address', `${URL}/?${SAS}`, {}, { url: URL, sas: `?${SAS}` }],
    [
      'the signature in the address before all others',
      `${URL}?${SAS}`,
      { AZURE_STORAGE_CONNECTION_STRING: CONNECTION, AZURE_STORAGE_KEY: KEY },
      { url: URL, sas: `?${SAS}` },
    ],
    [
      'a connection string',
      URL,
      { AZURE_STORAGE_CONNECTION_STRING: CONNECTION },
      { url: URL, account: 'contoso', key: KEY },
    ],
    [
      'a connection string with a signature, and without an address',
      undefined,
      { AZURE_STORAGE_CONNECTION_STRING: `TableEndpoint=${URL}/;SharedAccessSignature=${SAS}` },
      { url: URL, sas: SAS },
    ],
    [
      'the emulator',
      undefined,
      { AZURE_STORAGE_CONNECTION_STRING: 'UseDevelopmentStorage=true' },
      { url: 'http://127.0.0.1:10002/devstoreaccount1', account: 'devstoreaccount1' },
    ],
    ['no credential', URL, { AZURE_STORAGE_KEY: '' }, { url: URL }],
  ])('may have %s', (_, url, environment, place) => {
    expect(placeOf(url, environment)).toMatchObject(place);
  });

  it.each([
    [
      undefined,
      {},
      'give --at, with the address of a storage account, or set AZURE_STORAGE_CONNECTION_STRING',
    ],
    ['https://user:c2VjcmV0@contoso', {}, 'URL needs the address of an account'],
    [
      'https://other.table.core.windows.net',
      { AZURE_STORAGE_CONNECTION_STRING: CONNECTION },
      'AZURE_STORAGE_CONNECTION_STRING is for https://contoso.table.core.windows.net, ' +
        'and the command line names https://other.table.core.windows.net',
    ],
    [
      URL,
      { AZURE_STORAGE_CONNECTION_STRING: `c2VjcmV0` },
      'AZURE_STORAGE_CONNECTION_STRING is not a connection string',
    ],
    [URL, { AZURE_STORAGE_KEY: 'c2VjcmV0!' }, 'the key in AZURE_STORAGE_KEY is not Base64'],
    ['https://localhost', { AZURE_STORAGE_KEY: KEY }, 'AZURE_STORAGE_ACCOUNT must be the name'],
    [
      URL,
      { AZURE_STORAGE_SAS_TOKEN: 'sig=c2VjcmV0 more' },
      'the shared access signature in AZURE_STORAGE_SAS_TOKEN has characters that are not allowed in one',
    ],
  ])('is refused, without showing a credential: %s %j', (url, environment, message) => {
    expect(() => placeOf(url, environment)).toThrow(UsageError);
    expect(() => placeOf(url, environment)).toThrow(message);
    expect(() => placeOf(url, environment)).toThrow(/^(?!.*c2VjcmV0)/);
  });
});
