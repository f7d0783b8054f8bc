/**
 * Checks shared access signatures.
 *
 * Source: auth of the spec, 5.6 to 5.8.
 *
 * @module
 */

import { isInAddressRange } from './address-range.js';
import type { FindPolicy } from './policies.js';
import { FAILED, mismatch, type Refusal } from './refusal.js';
import { accountSasText, isVersion, tableSasText, SAS_PARAMETERS, type SasFields } from './sas.js';
import { isSignedBy, type SigningKey } from './signature.js';
import { unixTimeOf } from './time.js';

/** The limits of a signature. The core checks whether a request keeps to them. */
export interface SasPermissions {
  /** Letters. */
  readonly permissions: string;
  /** Letters; only of a signature for an account. */
  readonly resourceTypes?: string | undefined;
  /** Only of a signature for a table. */
  readonly table?: string | undefined;
  readonly firstPartitionKey?: string | undefined;
  readonly firstRowKey?: string | undefined;
  readonly lastPartitionKey?: string | undefined;
  readonly lastRowKey?: string | undefined;
}

/** The origin of a request. */
export interface Origin {
  readonly isSecure: boolean;
  /** Undefined if it is not known; then every address is allowed. */
  readonly address?: string | undefined;
}

/** The account that makes the signatures. */
export interface Signer {
  readonly account: string;
  readonly keys: readonly SigningKey[];
  readonly findPolicy: FindPolicy;
}

const NOT_BY_PROTOCOL = mismatch('AuthorizationProtocolMismatch', 'protocol');
const NOT_FOR_SERVICE = mismatch('AuthorizationServiceMismatch', 'service');

/**
 * Decodes the parameters of an address that belong to a signature. Undefined: they cannot be
 * decoded, or one is given twice or is empty. An empty parameter would have the signature of a
 * missing one.
 */
export function readParameters(query: string): SasFields | undefined {
  const fields: Record<string, string> = {};
  try {
    for (const pair of query.split('&')) {
      const [written = '', value = ''] = pair.split(/=(.*)/s, 2);
      const name = decodeURIComponent(written);
      if (!SAS_PARAMETERS.includes(name)) continue;
      // A plus sign is a plus sign in a signature, and a blank elsewhere.
      const spaced = name === 'sig' ? value : value.replaceAll('+', ' ');
      if (name in fields || value === '') return undefined;
      fields[name] = decodeURIComponent(spaced);
    }
  } catch {
    return undefined;
  }
  return fields;
}

/** The limits of the signature in the parameters, or the refusal. */
export async function checkSas(
  parameters: SasFields,
  { account, keys, findPolicy }: Signer,
  { isSecure, address }: Origin,
): Promise<SasPermissions | Refusal> {
  const given = { ...parameters };
  const { sv = '', sig = '', ss, srt, tn } = given;
  const isAccount = ss !== undefined || srt !== undefined;
  if (!isVersion(sv)) return FAILED;
  const text = isAccount ? accountSasText(account, given) : tn && tableSasText(account, given);
  if (!text || !(await isSignedBy(keys, text, sig))) return FAILED;
  const fields = isAccount ? given : await withPolicy(given, findPolicy);
  if (!fields || !isWellFormed(fields, isAccount) || !isValidNow(fields)) return FAILED;

  if (fields['spr'] === 'https' && !isSecure) return NOT_BY_PROTOCOL;
  if (!isFrom(address, fields['sip'])) {
    return mismatch('AuthorizationSourceIPMismatch', `source IP ${address}`);
  }
  if (isAccount && !ss?.includes('t')) return NOT_FOR_SERVICE;
  const permissions = fields['sp'] ?? '';
  if (isAccount) return { permissions, resourceTypes: srt ?? '' };
  return {
    permissions,
    table: tn,
    firstPartitionKey: fields['spk'],
    firstRowKey: fields['srk'],
    lastPartitionKey: fields['epk'],
    lastRowKey: fields['erk'],
  };
}

// The policy of the signature adds its fields. No field may be in both.
async function withPolicy(
  fields: SasFields,
  findPolicy: FindPolicy,
): Promise<SasFields | undefined> {
  const { si, tn = '' } = fields;
  if (si === undefined) return fields;
  const policy = await findPolicy(tn, si);
  const names = ['st', 'se', 'sp'] as const;
  if (!policy || names.some((name) => policy[name] && fields[name])) return undefined;
  return { ...fields, ...Object.fromEntries(names.map((n) => [n, policy[n] ?? fields[n]])) };
}

function isWellFormed({ sp, se, spr, srt, spk, srk, epk, erk }: SasFields, isAccount: boolean) {
  if (!sp || se === undefined || (isAccount && !srt)) return false;
  if (spr !== undefined && spr !== 'https' && spr !== 'https,http') return false;
  return (srk === undefined || spk !== undefined) && (erk === undefined || epk !== undefined);
}

function isValidNow({ st, se }: SasFields): boolean {
  const [start, end] = [st, se].map((time) => (time === undefined ? -Infinity : unixTimeOf(time)));
  // No comparison holds for NaN, a time that cannot be read.
  return start! <= Date.now() && Date.now() <= end!;
}

function isFrom(address: string | undefined, range: string | undefined): boolean {
  if (address === undefined || range === undefined || range === '') return true;
  return isInAddressRange(address, range);
}
