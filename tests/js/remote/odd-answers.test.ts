// Answers that no service should send, and some that a service may send.

import { describe, expect, it } from 'vitest';

import { remoteAccount, type RemoteFetch } from '../../../js/src/remote.js';
import { collect } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';
import { answerWith, BASE, openCloud, type Fault } from './support.js';

const REX = { partitionKey: 'dogs', rowKey: 'rex', age: 7 };
const JSON_TYPE = { 'Content-Type': 'application/json' };

async function openPets() {
  const cloud = await openCloud({ retries: 0 });
  await cloud.local.createTable('Pets');
  return { ...cloud, pets: cloud.remote.tableClient('Pets') };
}

describe('JSON of something else', () => {
  it.each(['{"message":"Please sign in."}', '{"value":{}}', '{"value":[{"a":1}]}', 'null', '[]'])(
    '%s is not taken for entities',
    async (body) => {
      const { pets, faults } = await openPets();
      faults.push(answerWith(200, JSON_TYPE, body), answerWith(200, JSON_TYPE, body));

      expect(await errorCode(collect(pets.listEntities()))).toBe('StorageUnavailable');
      expect(await errorCode(pets.getEntity('a', 'b'))).toBe('StorageUnavailable');
    },
  );

  it.each(['{"message":"Please sign in."}', '{"value":[{}]}', '{"value":[null]}'])(
    '%s is not taken for tables',
    async (body) => {
      const { remote, faults } = await openPets();
      faults.push(answerWith(200, JSON_TYPE, body));

      expect(await errorCode(collect(remote.listTables()))).toBe('StorageUnavailable');
    },
  );

  it.each([
    '{"odata.error":{"code":5,"message":{"value":7}}}',
    '{"odata.error":{"code":"","message":null}}',
    '{"odata.error":7}',
  ])('%s is not taken for an error of the service', async (body) => {
    const { pets, faults } = await openPets();
    faults.push(answerWith(409, JSON_TYPE, body));

    expect(await tableError(pets.createEntity(REX))).toMatchObject({
      code: 'StorageUnavailable',
      statusCode: 409,
    });
  });
});

it('a redirect of which a browser shows nothing is named', async () => {
  const opaque = { status: 0, type: 'opaqueredirect', headers: new Headers(), text: () => '' };
  const fetch = (() => Promise.resolve(opaque)) as unknown as RemoteFetch;
  const pets = remoteAccount({ url: BASE, fetch }).tableClient('Pets');

  const error = await tableError(pets.createEntity(REX));

  expect(error).toMatchObject({ code: 'StorageUnavailable', statusCode: 503 });
  expect(error.message).toContain('sends the client to another address');
});

it('an answer with a type that is wrong is read nevertheless', async () => {
  const { pets, faults } = await openPets();
  const retyped: Fault = async (_, next) => {
    const answer = await next();
    const headers = new Headers(answer.headers);
    headers.set('Content-Type', 'text/plain');
    return new Response(`\ufeff${await answer.text()}`, { status: answer.status, headers });
  };
  await pets.createEntity(REX);
  faults.push(retyped);

  expect(await pets.getEntity('dogs', 'rex')).toMatchObject(REX);
});

describe('the answer to a transaction', () => {
  const PART = ['Content-Type: application/http', 'Content-Transfer-Encoding: binary', ''];
  const head = (boundary: string) => ({ 'Content-Type': `multipart/mixed; boundary=${boundary}` });

  it.each([
    ['is written with line feeds alone', '\n', 'b', 'c'],
    ['has spaces in its boundaries', '\r\n', "b '()+_,-./:=? 1", 'c 2'],
    ['has one boundary that begins with the other', '\r\n', 'b', 'b1'],
  ])('may be one that %s', async (_, end, outer, inner) => {
    const { pets, faults } = await openPets();
    const part = [`--${inner}`, ...PART, 'HTTP/1.1 204 No Content', 'ETag: W/"1"', '', '', ''];
    const lines = [
      ...['ignored text', `--${outer}`, `Content-Type: multipart/mixed; boundary="${inner}"`, ''],
      ...[...part, ...part, `--${inner}--`, `--${outer}--`, ''],
    ];
    faults.push(answerWith(202, head(`"${outer}"`), lines.join(end)));

    const { subResponses } = await pets.submitTransaction([
      ['create', REX],
      ['create', { ...REX, rowKey: 'zoe' }],
    ]);
    expect(subResponses).toEqual([
      { status: 204, rowKey: 'rex', etag: 'W/"1"' },
      { status: 204, rowKey: 'zoe', etag: 'W/"1"' },
    ]);
  });

  it('may have parts that end with their headers, in HTTP/2', async () => {
    const { pets, faults } = await openPets();
    const lines = ['--b', ...PART, 'HTTP/2 204', 'Content-ID: 1', 'etag: W/"1"', '--b--', ''];
    faults.push(answerWith(202, head('b'), lines.join('\r\n')));

    const { subResponses } = await pets.submitTransaction([['create', REX]]);
    expect(subResponses).toEqual([{ status: 204, rowKey: 'rex', etag: 'W/"1"' }]);
  });

  it.each([
    ['nothing', ''],
    ['no part', '--b\r\n--b--\r\n'],
    ['a part that is not HTTP', '--b\r\n\r\nhello\r\n--b--\r\n'],
    ['too many parts', `${'--b\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n\r\n'.repeat(2)}--b--`],
    ['another page', '<!doctype html>\n--b\n<p>\n--b--'],
  ])('with %s leaves an unknown outcome', async (_, text) => {
    const { pets, faults } = await openPets();
    faults.push(answerWith(202, head('b'), text));

    expect(await errorCode(pets.submitTransaction([['create', REX]]))).toBe(
      'StorageOutcomeUnknown',
    );
  });
});

describe('a signature', () => {
  const sas = 'sv=1&se=2&sig=topsecret%2B';
  const everything = (error: Error) =>
    [error.stack, JSON.stringify(error), Object.values(error), error.cause].map(shownWhole).join();
  const shownWhole = (value: unknown): string =>
    value instanceof Error
      ? [value.stack, ...Object.values(value as object), value.cause].map(shownWhole).join()
      : String(value);

  it('is not in the error of a platform that shows addresses', async () => {
    const fetches: RemoteFetch[] = [
      // As in Deno.
      (url) => Promise.reject(new TypeError(`error sending request for url (${url}): refused`)),
      // As in Bun.
      (url) => Promise.reject(Object.assign(new Error('Unable to connect.'), { path: url })),
      (url) => Promise.reject(new TypeError('fetch failed', { cause: new Error(url) })),
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- so may an app
      (url) => Promise.reject(url),
    ];
    for (const fetch of fetches) {
      const pets = remoteAccount({ url: BASE, sas, fetch, retries: 0 }).tableClient('Pets');
      const error = await tableError(pets.getEntity('a', 'b'));
      expect(error.code).toBe('StorageUnavailable');
      expect(everything(error)).not.toContain('topsecret');
    }
  });

  it('is not in the error about a proxy that shows addresses', async () => {
    const texts = [
      (url: string) => `Cannot GET ${new URL(url).search}`,
      (url: string) => `<a href="${url.replaceAll('&', '&amp;')}">`,
      (url: string) => `...${url.slice(-20)}`,
    ];
    for (const textOf of texts) {
      const fetch: RemoteFetch = (url) =>
        Promise.resolve(new Response(textOf(url), { status: 404 }));
      const pets = remoteAccount({ url: BASE, sas, fetch }).tableClient('Pets');
      const error = await tableError(pets.getEntity('a', 'b'));
      expect(error).toMatchObject({ code: 'StorageUnavailable', statusCode: 404 });
      expect(everything(error)).not.toContain('topsecret');
    }
  });

  it('leaves an error of the platform as it is', async () => {
    const reason = new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') });
    const fetch = () => Promise.reject(reason);
    const pets = remoteAccount({ url: BASE, sas, fetch, retries: 0 }).tableClient('Pets');

    expect((await tableError(pets.getEntity('a', 'b'))).cause).toBe(reason);
  });
});
