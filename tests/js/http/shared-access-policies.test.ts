// Cases 491 to 515, with signatures for an account and with stored policies.

import { describe, expect, it } from 'vitest';

import type { AccessPolicy } from '../../../js/src/client/models.js';
import type { TableSasOptions } from '../../../js/src/http.js';
import {
  ACCOUNT,
  KEY,
  account,
  send,
  tableSas,
  accountSas,
  outcomeOf,
  entity,
  at,
  store,
  rowsOf,
  NOT_ALLOWED,
  useSignedRequests,
} from '../support/signed-requests.js';

useSignedRequests();

describe('a signature for an account', () => {
  const newTable = { body: '{"TableName":"New"}' };
  const wrongType = '403 AuthorizationResourceTypeMismatch';

  it.each([
    [{ resourceTypes: 'o', permissions: 'rl' }, 'GET', '/Tables', {}, wrongType],
    [{ resourceTypes: 'c', permissions: 'l' }, 'GET', '/Tables', {}, '200'],
    [{ resourceTypes: 's', permissions: 'l' }, 'GET', '/Tables', {}, '200'],
    [{ resourceTypes: 'sco', permissions: 'r' }, 'GET', '/Tables', {}, NOT_ALLOWED],
    [{ resourceTypes: 'c', permissions: 'c' }, 'POST', '/Tables', newTable, '201'],
    [{ resourceTypes: 'c', permissions: 'w' }, 'POST', '/Tables', newTable, '201'],
    [{ resourceTypes: 'o', permissions: 'a' }, 'POST', '/Tables', newTable, wrongType],
    [{ resourceTypes: 'c', permissions: 'a' }, 'POST', '/Tables', newTable, NOT_ALLOWED],
    [{ resourceTypes: 'c', permissions: 'd' }, 'DELETE', "/Tables('Other')", {}, '204'],
    [{ resourceTypes: 'o', permissions: 'r' }, 'GET', '/People()', {}, '200'],
    [{ resourceTypes: 'c', permissions: 'r' }, 'GET', '/People()', {}, wrongType],
    [{ resourceTypes: 'o', permissions: 'a' }, 'PUT', at('p', 'r'), { body: '{}' }, NOT_ALLOWED],
    [{ resourceTypes: 'o', permissions: 'au' }, 'PUT', at('p', 'r'), { body: '{}' }, '204'],
    [{}, 'GET', '/People?comp=acl', {}, '403 AuthorizationFailure'],
  ])('of %j: %s %s', async (options, method, path, init, outcome) => {
    expect(await outcomeOf(send(method, path, await accountSas(options), init))).toBe(outcome);
  });

  it('must be for tables', async () => {
    // The spec has an example for blobs, with ss=b. Any other service is as good.
    const { accountSasText } = await import('../../../js/src/http/auth/sas.js');
    const { keyBytes, signingKey } = await import('../../../js/src/http/auth/signature.js');
    const fields = { sv: '2019-02-02', ss: 'b', srt: 'sco', sp: 'rl', se: '2030-01-01' };
    const sig = await (await signingKey(keyBytes(KEY)))(accountSasText(ACCOUNT, fields));
    const sas = new URLSearchParams({ ...fields, sig }).toString();

    expect(await outcomeOf(send('GET', '/Tables', sas))).toBe('403 AuthorizationServiceMismatch');
  });

  it('of the newest version has a line more', async () => {
    expect(
      await outcomeOf(send('GET', '/Tables', await accountSas({ version: '2022-11-02' }))),
    ).toBe('200');
  });

  it('is refused when it is changed', async () => {
    const sas = await accountSas({ permissions: 'r' });

    expect(await outcomeOf(send('GET', '/People()', sas.replace('sp=r', 'sp=rw')))).toBe(
      '403 AuthenticationFailed',
    );
  });
});

describe('a signature with a stored access policy', () => {
  const expiry = new Date('2030-01-01T00:00:00Z');
  const withPolicy = (options: Partial<TableSasOptions> = {}) =>
    tableSas({ permissions: undefined, expiresOn: undefined, identifier: 'pol1', ...options });
  const set = (accessPolicy: AccessPolicy, id = 'pol1') =>
    account.tableClient('People').setAccessPolicy([{ id, accessPolicy }]);

  it('allows the permissions of the policy', async () => {
    await set({ expiry, permission: 'r' });
    const sas = await withPolicy();

    expect(await outcomeOf(send('GET', '/People()', sas))).toBe('200');
    expect(await outcomeOf(send('POST', '/People', sas, { body: entity('p', 'r') }))).toBe(
      NOT_ALLOWED,
    );
  });

  it('is refused if the policy was deleted, or has another name', async () => {
    const sas = await withPolicy();
    await set({ expiry, permission: 'r' });
    expect(await outcomeOf(send('GET', '/People()', sas))).toBe('200');

    await set({ expiry, permission: 'r' }, 'pol2');
    expect(await outcomeOf(send('GET', '/People()', sas))).toBe('403 AuthenticationFailed');
    await account.tableClient('People').setAccessPolicy([]);
    expect(await outcomeOf(send('GET', '/People()', sas))).toBe('403 AuthenticationFailed');
    await account.deleteTable('People');
    expect(await outcomeOf(send('GET', '/People()', sas))).toBe('403 AuthenticationFailed');
  });

  it('reads missing parameters from it', async () => {
    await set({ permission: 'r' });

    expect(await outcomeOf(send('GET', '/People()', await withPolicy()))).toBe(
      '403 AuthenticationFailed',
    );
    const sas = await withPolicy({ expiresOn: expiry });
    expect(await outcomeOf(send('GET', '/People()', sas))).toBe('200');
  });

  it('must not repeat a parameter of the policy', async () => {
    await set({ expiry, permission: 'r' });

    for (const twice of [{ permissions: 'r' }, { expiresOn: expiry }]) {
      expect(await outcomeOf(send('GET', '/People()', await withPolicy(twice)))).toBe(
        '403 AuthenticationFailed',
      );
    }
  });

  it.each([
    { expiry: new Date('2024-01-02T03:04:04Z'), permission: 'r' },
    { start: new Date('2024-01-02T03:04:06Z'), expiry, permission: 'r' },
    { expiry },
  ])('is refused outside of what %j allows', async (policy) => {
    await set(policy);

    expect(await outcomeOf(send('GET', '/People()', await withPolicy()))).toBe(
      '403 AuthenticationFailed',
    );
  });

  it('keeps its range of keys', async () => {
    await set({ expiry, permission: 'r' });
    await store(['a', '1'], ['b', '1']);
    const sas = await withPolicy({ startPartitionKey: 'b' });

    expect(await rowsOf(await send('GET', '/People()', sas))).toEqual(['b1']);
  });
});
