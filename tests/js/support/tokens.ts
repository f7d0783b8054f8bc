// tokens.ts - bearer tokens as Microsoft Entra ID makes them, with a signature of nobody.

const encoded = (value: unknown) =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** A token with these claims. */
export const tokenOf = (claims: unknown) =>
  [encoded({ typ: 'JWT', alg: 'RS256' }), encoded(claims), 'c2lnbmF0dXJl'].join('.');

/** The claims of a token for Azure Storage that is valid from an hour before to an hour after. */
export function claimsAt(milliseconds: number) {
  const seconds = Math.floor(milliseconds / 1000);
  return {
    aud: 'https://storage.azure.com',
    iss: 'https://sts.windows.net/ab1f708d-50f6-404c-a006-d71b2ac7a606/',
    iat: seconds - 3600,
    nbf: seconds - 3600,
    exp: seconds + 3600,
    // Its Base64 has both letters that differ in addresses.
    name: '??>>~~',
  };
}
