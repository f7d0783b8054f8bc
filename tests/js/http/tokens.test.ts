import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createRawTableHandler } from '../../../js/src/http.js';
import { tokenCheckFor } from '../../../js/src/http/auth/tokens.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { claimsAt, tokenOf } from '../support/tokens.js';

const NOW = Date.parse('2024-01-02T03:04:05Z');
const SECONDS = NOW / 1000;
const CLAIMS = claimsAt(NOW);
const TABLES = '/devstoreaccount1/Tables';

describe('a handler that checks tokens', () => {
  let send: (authorization: string, target?: string) => Promise<Response>;

  beforeEach(async () => {
    vi.spyOn(Date, 'now').mockImplementation(() => NOW);
    const account = await openForTest({ storage: memoryStorage() });
    const name = 'devstoreaccount1';
    const handler = createRawTableHandler(
      account,
      { authentication: { account: name, keys: ['a2V5'] } },
      { isPatient: false, reopens: false, checkToken: tokenCheckFor(name) },
    );
    send = async (authorization, target = TABLES) => {
      const headers = new Headers({ authorization, accept: 'application/json' });
      const origin = { isSecure: true };
      const readBody = () => undefined;
      const answer = await handler({ method: 'GET', target, headers, readBody, origin });
      return new Response(answer.body, { status: answer.status, headers: answer.headers });
    };
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const sendClaims = (claims: unknown) => send(`Bearer ${tokenOf(claims)}`);

  it.each([
    'https://storage.azure.com',
    'https://storage.azure.com/',
    'e406a681-f3d4-42a8-90b6-c2b029497af1',
    'https://devstoreaccount1.table.core.windows.net',
    'https://devstoreaccount1.table.core.usgovcloudapi.net/',
  ])('accepts the audience %s', async (aud) => {
    expect((await sendClaims({ ...CLAIMS, aud })).status).toBe(200);
  });

  it.each([
    'https://sts.windows.net/t/',
    'https://sts.chinacloudapi.cn/t/',
    'https://login.microsoftonline.com/t/v2.0',
    'https://login.microsoftonline.us/t/v2.0',
  ])('accepts the issuer %s', async (iss) => {
    expect((await sendClaims({ ...CLAIMS, iss })).status).toBe(200);
  });

  it('accepts the first and the last second of a token', async () => {
    expect((await sendClaims({ ...CLAIMS, nbf: SECONDS })).status).toBe(200);
    expect((await sendClaims({ ...CLAIMS, exp: SECONDS })).status).toBe(200);
  });

  it('reads the scheme in any case', async () => {
    expect((await send(`bearer ${tokenOf(CLAIMS)}`)).status).toBe(200);
  });

  const without = (name: keyof typeof CLAIMS) => ({ ...CLAIMS, [name]: undefined });
  it.each([
    ['another audience', { ...CLAIMS, aud: 'https://vault.azure.net' }, 'Audience'],
    ['no audience', without('aud'), 'Audience'],
    ['several audiences', { ...CLAIMS, aud: [CLAIMS.aud] }, 'Audience'],
    [
      'an audience of another account',
      { ...CLAIMS, aud: 'https://other.table.core.windows.net' },
      'Audience',
    ],
    [
      'an audience that only begins right',
      { ...CLAIMS, aud: 'https://storage.azure.com.evil.example' },
      'Audience',
    ],
    ['another issuer', { ...CLAIMS, iss: 'https://sts.windows.net.evil.example/' }, 'Issuer'],
    ['no issuer', without('iss'), 'Issuer'],
    ['an end in the past', { ...CLAIMS, exp: SECONDS - 1 }, 'The token is expired'],
    ['a start in the future', { ...CLAIMS, nbf: SECONDS + 1 }, 'The token is not yet valid'],
    ['no end', without('exp'), 'needs the times'],
    ['no start', without('nbf'), 'needs the times'],
    ['no time of issue', without('iat'), 'needs the times'],
    ['an end that is a text', { ...CLAIMS, exp: `${CLAIMS.exp}` }, 'needs the times'],
    ['no claims', null, 'not a JSON Web Token'],
  ])('refuses %s, with a challenge', async (_, claims, why) => {
    await expectRefusal(await sendClaims(claims), why);
  });

  it.each(['', 'x', 'a.b', 'a.b.c', `${tokenOf(CLAIMS)}.more`])(
    'refuses what is no token: "%s"',
    async (token) => {
      await expectRefusal(await send(`Bearer ${token}`), 'not a JSON Web Token');
    },
  );

  // Source: auth of the spec, 5.8.
  async function expectRefusal(refused: Response, why: string) {
    const body = (await refused.json()) as { 'odata.error': { message: { value: string } } };

    expect(refused.status).toBe(401);
    expect(refused.headers.get('x-ms-error-code')).toBe('InvalidAuthenticationInfo');
    expect(refused.headers.get('WWW-Authenticate')).toBe(
      'Bearer authorization_uri=https://login.microsoftonline.com/common/oauth2/authorize ' +
        'resource_id=https://storage.azure.com',
    );
    expect(body['odata.error'].message.value).toContain(why);
  }

  it('lets no token read or change access policies', async () => {
    const target = '/devstoreaccount1/Pets?timeout=5&comp=acl';
    const refused = await send(`Bearer ${tokenOf(CLAIMS)}`, target);

    expect(refused.status).toBe(403);
    expect(refused.headers.get('x-ms-error-code')).toBe('AuthorizationFailure');
  });

  it('still checks signatures', async () => {
    const refused = await send('SharedKeyLite devstoreaccount1:d3Jvbmc=');

    expect(refused.headers.get('x-ms-error-code')).toBe('AuthenticationFailed');
  });
});
