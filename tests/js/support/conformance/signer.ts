// signer.ts - signatures by auth of the spec. The code is independent of the package, because the
// expected values of the cases must not come from it.

import type { TableServiceClient } from '../../../../js/src/client/table-service-client.js';
import type { AccountSession } from '../../../../js/src/core/account-session.js';
import { createRawTableHandler } from '../../../../js/src/http.js';
import { accountSasText, tableSasText } from '../../../../js/src/http/auth/sas.js';
import { stringToSign } from '../../../../js/src/http/auth/shared-key.js';
import type { PlainRequest, Transport } from './case-run.js';
import type { KeySign, SasSign, Sign, Vector } from './files.js';

// auth of the spec, 5.11.
const ACCOUNT = 'devstoreaccount1';
const KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

async function signatureOf(text: string): Promise<string> {
  const key = Uint8Array.from(atob(KEY), (octet) => octet.charCodeAt(0));
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, hmac, false, ['sign']);
  const signed = await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(signed)));
}

// auth of the spec, 5.6 and 5.7.
function sasText({ sas, fields }: Pick<SasSign, 'sas' | 'fields'>): string {
  const lines = (...names: string[]) => names.map((name) => fields[name] ?? '').join('\n');
  if (sas === 'account') {
    const last = fields['sv']! < '2020-12-06' ? '' : `${fields['ses'] ?? ''}\n`;
    return `${ACCOUNT}\n${lines('sp', 'ss', 'srt', 'st', 'se', 'sip', 'spr', 'sv')}\n${last}`;
  }
  const resource = `/table/${ACCOUNT}/${fields['tn']!.toLowerCase()}`;
  const head = lines('sp', 'st', 'se');
  return `${head}\n${resource}\n${lines('si', 'sip', 'spr', 'sv', 'spk', 'srk', 'epk', 'erk')}`;
}

/** Compares a signature of the package with a vector of the specification. */
export async function vectorMismatches(vector: Vector): Promise<string[]> {
  const { signature } = vector;
  const text =
    'sas' in vector
      ? (vector.sas === 'table' ? tableSasText : accountSasText)(ACCOUNT, vector.fields)
      : stringToSign(vector.scheme, vector.account ?? ACCOUNT, {
          method: vector.method ?? 'GET',
          target: vector.target,
          headers: new Headers({
            'x-ms-date': vector.date,
            ...(vector.contentType && { 'Content-Type': vector.contentType }),
          }),
        });
  const made = await signatureOf(text);
  return made === signature ? [] : [`signature: expected ${signature}, found ${made}`];
}

// auth of the spec, 5.1 to 5.4, for an address in path style.
async function keyHeaders(sign: KeySign, { method, target, headers }: PlainRequest) {
  const date = new Date(Date.now() - (sign.minutesOld ?? 0) * 60_000).toUTCString();
  const component = /[?&](comp=[^&]*)/.exec(target)?.[1];
  const path = `/${ACCOUNT}/${ACCOUNT}${target.replace(/\?.*$/s, '')}`;
  const resource = sign.resource ?? (component ? `${path}?${component}` : path);
  const type = headers.find(([name]) => name === 'Content-Type')?.[1] ?? '';
  const lines = sign.scheme === 'SharedKey' ? [method, '', type] : [];
  let signature = await signatureOf([...lines, date, resource].join('\n'));
  if (sign.isSpoiled)
    signature = `${signature.slice(0, -2)}${signature.at(-2) === 'A' ? 'B' : 'A'}=`;
  return [
    ...(sign.isUndated ? [] : [['x-ms-date', date] as const]),
    ['Authorization', `${sign.scheme} ${ACCOUNT}:${signature}`] as const,
  ];
}

async function sasQuery(sign: SasSign): Promise<string> {
  const fields = { ...sign.fields, sig: await signatureOf(sasText(sign)) };
  const pairs = Object.entries(fields).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  const again = pairs.filter((pair) => pair.startsWith(`${sign.twice}=`));
  return [...pairs, ...again].join('&');
}

/** The request with a signature; by default with one by the key. */
export async function signedRequest(
  request: PlainRequest,
  sign: Sign = { scheme: 'SharedKeyLite' },
): Promise<PlainRequest> {
  if (sign === 'none') return request;
  if ('sas' in sign) {
    const mark = request.target.includes('?') ? '&' : '?';
    return { ...request, target: `${request.target}${mark}${await sasQuery(sign)}` };
  }
  return { ...request, headers: [...request.headers, ...(await keyHeaders(sign, request))] };
}

/** The account of {@link SIGNED}, and its key. */
export const SIGNER = { account: ACCOUNT, keys: [KEY] };

/** Sends requests to a handler that checks signatures. The default is to sign with the key. */
export const SIGNED: Transport = {
  account: ACCOUNT,
  baseUrl: `http://127.0.0.1:10002/${ACCOUNT}`,
  handlerFor(session: AccountSession) {
    const authentication = SIGNER;
    // The handler uses only the session of the account.
    const rawHandler = createRawTableHandler({ session } as TableServiceClient, { authentication });
    return async (plain, sign) => {
      const { method, target, headers, body } = await signedRequest(plain, sign);
      return rawHandler({
        method,
        target: `/${ACCOUNT}${target}`,
        headers: new Headers(headers.map(([name, value]): [string, string] => [name, value])),
        readBody: () => Promise.resolve(body),
        origin: { isSecure: false },
      });
    };
  },
};
