/**
 * Checks bearer tokens as the emulator does under `--oauth basic`: the audience, the issuer and the
 * times, not the signature. So anybody can make a token that is accepted. It is for development.
 *
 * Source: auth of the spec, 5.8; and the emulator, for what a token must contain.
 *
 * @module
 */

import { base64ToBytes } from '../../base/base64.js';
import { textOfUtf8 } from '../../base/utf8.js';
import { TOKEN_CHALLENGE, type Refusal } from './refusal.js';

/**
 * Checks the token of a request.
 *
 * @param target - path and query of the request.
 * @returns undefined, if the request may do everything.
 */
export type TokenCheck = (token: string, target: string) => Refusal | undefined;

// Those of the public cloud and of the sovereign ones, with the tenant: of tokens of version 1, and
// of version 2.
const ISSUERS = [
  /^https:\/\/sts\.(windows\.net|microsoftonline\.de|chinacloudapi\.cn|windows-ppe\.net)\//,
  /^https:\/\/login\.(microsoftonline\.(com|us|de)|partner\.microsoftonline\.cn)\/[^/]+\/v2\.0$/,
];

// The id is that of Azure Storage.
const SERVICE = /^(https:\/\/storage\.azure\.com\/?|e406a681-f3d4-42a8-90b6-c2b029497af1)$/;
const ACCOUNT_OF_AUDIENCE =
  /^https:\/\/([^./]+)\.table\.core\.(?:windows\.net|chinacloudapi\.cn|usgovcloudapi\.net|cloudapi\.de)\/?$/;

/** The check for an account: a token may be for all of Azure Storage, or for the account alone. */
export function tokenCheckFor(account: string): TokenCheck {
  return (token, target) => {
    const why = problemOf(claimsOf(token), account);
    if (why !== undefined) return refused(why);
    return isAboutPolicies(target) ? NOT_FOR_TOKENS : undefined;
  };
}

interface Claims {
  readonly [name: string]: unknown;
}

function problemOf(claims: Claims | undefined, account: string): string | undefined {
  if (!claims) return 'The token is not a JSON Web Token.';
  const { aud, iss, iat, nbf, exp } = claims;
  if (![iat, nbf, exp].every(Number.isFinite)) return 'The token needs the times iat, nbf and exp.';
  const seconds = Date.now() / 1000;
  if (seconds < Number(nbf)) return 'Lifetime validation failed. The token is not yet valid.';
  if (seconds > Number(exp)) return 'Lifetime validation failed. The token is expired.';
  if (typeof iss !== 'string' || !ISSUERS.some((issuer) => issuer.test(iss))) {
    return 'Issuer validation failed. Issuer did not match.';
  }
  return isFor(account, aud) ? undefined : 'Audience validation failed. Audience did not match.';
}

const isFor = (account: string, audience: unknown) =>
  typeof audience === 'string' &&
  (SERVICE.test(audience) || ACCOUNT_OF_AUDIENCE.exec(audience)?.[1] === account);

// Undefined, if the token cannot be read.
function claimsOf(token: string): Claims | undefined {
  const parts = token.split('.');
  try {
    const encoded = parts[1]!.replaceAll('-', '+').replaceAll('_', '/');
    const claims: unknown = JSON.parse(textOfUtf8(base64ToBytes(encoded)));
    const isObject = typeof claims === 'object' && claims !== null;
    return parts.length === 3 && isObject ? (claims as Claims) : undefined;
  } catch {
    return undefined;
  }
}

// The emulator accepts no token for them.
const isAboutPolicies = (target: string) =>
  new URLSearchParams(target.replace(/^[^?]*/, '')).get('comp') === 'acl';

const NOT_FOR_TOKENS: Refusal = {
  status: 403,
  code: 'AuthorizationFailure',
  message: 'This request is not authorized to perform this operation.',
};

function refused(why: string): Refusal {
  return {
    status: 401,
    code: 'InvalidAuthenticationInfo',
    message:
      'Server failed to authenticate the request. Please refer to the information in the ' +
      `www-authenticate header. ${why}`,
    challenge: TOKEN_CHALLENGE,
  };
}
