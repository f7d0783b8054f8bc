// Bearer tokens that somebody made to get in, to reach the access policies, or to do harm. Their
// signature is not checked: js/src/http/auth/tokens.ts says why.

import { beforeEach, describe, expect, it } from 'vitest';

import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import { createRawTableHandler } from '../../../js/src/http.js';
import { tokenCheckFor } from '../../../js/src/http/auth/tokens.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { claimsAt, tokenOf } from '../support/tokens.js';

const ACCOUNT = 'devstoreaccount1';
const POLICY = { id: 'readers', accessPolicy: { permission: 'r' } };

const base64 = (text: string) => btoa(text).replaceAll('+', '-').replaceAll('/', '_');
const tokenOfText = (claims: string) => `${base64('{"alg":"none"}')}.${base64(claims)}.`;

let account: TableServiceClient;
let send: (token: string, target: string, method?: string, body?: string) => Promise<string>;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Pets');
  await account.tableClient('Pets').setAccessPolicy([POLICY]);
  const handler = createRawTableHandler(
    account,
    { authentication: { account: ACCOUNT, keys: ['a2V5'] } },
    { isPatient: false, reopens: false, checkToken: tokenCheckFor(ACCOUNT) },
  );
  send = async (token, target, method = 'GET', body = '') => {
    const type = 'multipart/mixed; boundary=b';
    const headers = new Headers({ authorization: `Bearer ${token}`, 'content-type': type });
    const readBody = () => new TextEncoder().encode(body);
    const origin = { isSecure: true };
    const request = { method, target: `/${ACCOUNT}${target}`, headers, readBody, origin };
    const { status, body: text } = await handler(request as never);
    return `${status} ${await new Response(text as BodyInit).text()}`;
  };
});

describe('a token', () => {
  const claims = JSON.stringify(claimsAt(Date.now()));
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  it.each([
    ['of deep arrays', tokenOfText(nested(200_000))],
    ['of many parts', '.'.repeat(1_000_000)],
    ['of 4 MB', `a.${'A'.repeat(4_000_000)}.b`],
    ['with inherited claims', tokenOfText(`{"__proto__":${claims}}`)],
    ['that never ends', tokenOfText(claims.replace(/"exp":\d+/, '"exp":1e999'))],
    ['with a second end, in the past', tokenOfText(claims.replace('}', ',"exp":1}'))],
    ['with a line end in its audience', tokenOfText(claims.replace('.com"', '.com\\n"'))],
  ])('%s is refused', async (_, token) => {
    expect(await send(token, '/Tables')).toMatch(/^401 .*InvalidAuthenticationInfo/s);
  });

  it('with a claim of deep arrays is read like others', async () => {
    const token = tokenOfText(claims.replace('}', `,"x":${nested(200_000)}}`));

    expect(await send(token, '/Tables')).toMatch(/^200 /);
  });

  it('reaches no access policy, however the address is written', async () => {
    const token = tokenOf(claimsAt(Date.now()));
    const spellings = [
      ...['comp=acl', 'comp=ACL', 'Comp=acl', 'comp=x&comp=acl', 'comp=acl&comp=x', '%63omp=acl'],
      ...['comp=%61cl', 'comp=acl%00', 'comp=+acl', 'comp=acl#', 'x=1;comp=acl', '?comp=acl'],
      ...['&comp=acl', 'comp=acl&restype=table', 'comp&comp=acl', 'comp=&comp=acl'],
    ];
    for (const query of spellings) {
      for (const method of ['GET', 'HEAD', 'PUT', 'POST']) {
        const answer = await send(token, `/Pets?${query}`, method, '<SignedIdentifiers/>');
        expect(answer, `${method} ${query}`).not.toContain('readers');
      }
      const part = `Content-Type: application/http\r\n\r\nGET /${ACCOUNT}/Pets?${query} HTTP/1.1`;
      const answer = await send(token, '/$batch', 'POST', `--b\r\n${part}\r\n\r\n--b--\r\n`);
      expect(answer, query).not.toContain('readers');
    }
    expect(await account.tableClient('Pets').getAccessPolicy()).toMatchObject([POLICY]);
  });
});
