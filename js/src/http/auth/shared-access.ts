/**
 * Shared access signatures, checked.
 *
 * Source: auth of the spec, 5.6 to 5.8.
 *
 * @module
 */

import type { FindPolicy } from './policies.js';
import { FAILED, mismatch, type Refusal } from './refusal.js';
import { accountSasText, isVersion, tableSasText, SAS_PARAMETERS, type SasFields } from './sas.js';
import { isSignedBy, type SigningKey } from './signature.js';
import { unixTimeOf } from './time.js';

/** What a signature allows; whether a request keeps to it is for the core to see. */
export interface Grant {
  /** Letters. */
  readonly permissions: string;
  /** Letters; of a signature for an account alone. */
  readonly resourceTypes?: string | undefined;
  /** Of a signature for a table alone. */
  readonly table?: string | undefined;
  readonly firstPartitionKey?: string | undefined;
  readonly firstRowKey?: string | undefined;
  readonly lastPartitionKey?: string | undefined;
  readonly lastRowKey?: string | undefined;
}

/** Where a request comes from. */
export interface Origin {
  readonly isSecure: boolean;
  /** Undefined where nobody knows; then every address will do. */
  readonly address?: string | undefined;
}

/** In whose name signatures are made. */
export interface Signer {
  readonly account: string;
  readonly keys: readonly SigningKey[];
  readonly findPolicy: FindPolicy;
}

const NOT_BY_PROTOCOL = mismatch('AuthorizationProtocolMismatch', 'protocol');
const NOT_FOR_SERVICE = mismatch('AuthorizationServiceMismatch', 'service');

/**
 * The parameters of an address that belong to a signature, decoded. Undefined: they cannot be; or
 * one is given twice, or is empty, so that it would be signed like one that is missing.
 */
export function readParameters(query: string): SasFields | undefined {
  const fields: Record<string, string> = {};
  try {
    for (const pair of query.split('&')) {
      const [written = '', value = ''] = pair.split(/=(.*)/s, 2);
      const name = decodeURIComponent(written);
      if (!SAS_PARAMETERS.includes(name)) continue;
      // A plus sign is itself in a signature, and a blank elsewhere.
      const spaced = name === 'sig' ? value : value.replaceAll('+', ' ');
      if (name in fields || value === '') return undefined;
      fields[name] = decodeURIComponent(spaced);
    }
  } catch {
    return undefined;
  }
  return fields;
}

/** What the signature among the parameters allows, or why it allows nothing. */
export async function checkSas(
  parameters: SasFields,
  { account, keys, findPolicy }: Signer,
  { isSecure, address }: Origin,
): Promise<Grant | Refusal> {
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

// What the policy that is named says belongs to it, and nothing may be said twice.
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
  // Nothing holds of a time that cannot be read.
  return start! <= Date.now() && Date.now() <= end!;
}

// Of addresses of version 4, which is all that the service takes.
function isFrom(address: string | undefined, range: string | undefined): boolean {
  if (address === undefined || range === undefined || range === '') return true;
  const [first = '', last = first] = range.split('-');
  const [low, it, high] = [first, address.replace(/^::ffff:/, ''), last].map(numberOf);
  return low! <= it! && it! <= high!;
}

function numberOf(address: string): number {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1).map(Number);
  if (!parts || parts.some((part) => part > 255)) return NaN;
  return parts.reduce((number, part) => number * 256 + part);
}
