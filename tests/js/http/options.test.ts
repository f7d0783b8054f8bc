// Unknown options of the entry for HTTP.

import { expect, it } from 'vitest';

import {
  createRawTableHandler,
  createTableHandler,
  fromConnectionString,
  generateAccountSas,
  generateTableSas,
  inProcessHttpClient,
  parseConnectionString,
} from '../../../js/src/http.js';
import { openAccount } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { rejection } from '../support/rejection.js';

const account = async () => openForTest({ storage: memoryStorage() });
const sas = { account: 'a', key: 'a2V5', permissions: 'r', expiresOn: '2050-01-01' };

it.each<[string, () => unknown, string]>([
  [
    'an option of a handler',
    async () => createTableHandler(await account(), { authentification: 'anonymous' } as never),
    'authentification',
  ],
  [
    'an option of the server',
    async () =>
      createTableHandler(await account(), {
        authentication: 'anonymous',
        isPatient: true,
      } as never),
    'no option isPatient. It takes authentication, cors, fresh.',
  ],
  [
    'an option of the authentication',
    async () =>
      createRawTableHandler(await account(), {
        authentication: { account: 'a', keys: ['a2V5'], secret: 1 } as never,
      }),
    'secret',
  ],
  [
    'keys that are no array',
    async () =>
      createTableHandler(await account(), {
        authentication: { account: 'a', keys: 'a2V5' } as never,
      }),
    'keys',
  ],
  [
    'rules that are none',
    async () =>
      createTableHandler(await account(), { authentication: 'anonymous', cors: '*' as never }),
    '"*"',
  ],
  ['no account', () => createTableHandler(undefined as never, {} as never), 'openAccount()'],
  [
    'an option of a signature',
    () => generateTableSas({ ...sas, table: 'Pets', tableName: 'Pets' } as never),
    'tableName',
  ],
  ['no table to sign for', () => generateTableSas({ ...sas, table: undefined } as never), 'table'],
  [
    'a protocol that is none',
    () => generateTableSas({ ...sas, table: 'Pets', protocol: 'http' as never }),
    '"http"',
  ],
  ['no types to sign for', () => generateAccountSas(sas as never), 'resourceTypes'],
  [
    'a time that is none',
    () => generateAccountSas({ ...sas, resourceTypes: 'o', expiresOn: new Date(NaN) }),
    'expiresOn',
  ],
  [
    'a connection string that is none',
    () => parseConnectionString(undefined as never),
    'undefined',
  ],
  [
    'a name beside a connection string',
    () =>
      fromConnectionString('UseDevelopmentStorage=true', {
        storage: memoryStorage(),
        name: 'other',
      } as never),
    'name',
  ],
  ['a client without a handler', () => inProcessHttpClient(undefined as never), 'handler'],
])('refuses %s with a TypeError that names it', async (_, call, named) => {
  const error = await rejection((async () => call())());

  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message).toContain(named);
});

it('refuses an unknown option of an account by its name', async () => {
  const error = await rejection(openAccount({ storage: memoryStorage(), nam: 'a' } as never));

  expect(error).toMatchObject({ code: 'InvalidInput', message: expect.stringContaining('nam') });
});
