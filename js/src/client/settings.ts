/**
 * Access policies and properties of the service: turns objects of the API into records of the core,
 * and back. The grammar is in `docs/internals/file-format.md`. The core checks every rule.
 *
 * This script is loaded on demand.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isDate, isObject } from '../base/kinds.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { AccountSession } from '../core/account-session.js';
import type { CorsRule, ServiceProperties, ServiceStatistics, SignedIdentifier } from './models.js';

/** See `TableClient.getAccessPolicy()`. */
export async function getAccessPolicy(
  session: AccountSession,
  table: string,
  abortSignal: AbortSignalLike | undefined,
): Promise<SignedIdentifier[]> {
  const { body } = await session.request({ kind: 'getPolicies', table }, abortSignal);
  return recordsOf(body).map(([, policy]) => policy as unknown as SignedIdentifier);
}

/** See `TableClient.setAccessPolicy()`. */
export async function setAccessPolicy(
  session: AccountSession,
  table: string,
  policies: readonly SignedIdentifier[],
  abortSignal: AbortSignalLike | undefined,
): Promise<void> {
  const nameless = policies.findIndex(({ id }) => id === undefined);
  if (nameless >= 0) {
    throw invalidInput(`The option tableAcl[${nameless}].id of setAccessPolicy must be a string.`);
  }
  const body = policies.map((policy) => lineOf('SignedIdentifier', policy)).join('');
  await session.request({ kind: 'setPolicies', table, body }, abortSignal);
}

/** See `TableServiceClient.getProperties()`. */
export async function getProperties(
  session: AccountSession,
  abortSignal: AbortSignalLike | undefined,
): Promise<ServiceProperties> {
  const { body } = await session.request({ kind: 'getServiceProperties' }, abortSignal);
  const properties: Record<string, unknown> = {};
  const cors: unknown[] = [];
  for (const [kind, members] of recordsOf(body)) {
    if (kind === 'corsRule') cors.push(members);
    else if (kind !== 'cors') properties[kind] = members;
  }
  return { ...properties, cors } as ServiceProperties;
}

/** See `TableServiceClient.setProperties()`. */
export async function setProperties(
  session: AccountSession,
  { cors, ...properties }: ServiceProperties,
  abortSignal: AbortSignalLike | undefined,
): Promise<void> {
  const lines = Object.entries(properties).map(([kind, members]) =>
    members === undefined ? '' : lineOf(upper(kind), members as object),
  );
  if (cors) lines.push(corsLines(cors));
  const body = lines.join('');
  await session.request({ kind: 'setServiceProperties', body }, abortSignal);
}

/** A list of CORS rules as records. */
export function corsLines(rules: readonly CorsRule[]): string {
  return [lineOf('Cors', {}), ...rules.map((rule) => lineOf('CorsRule', rule))].join('');
}

/** See `TableServiceClient.getStatistics()`. */
export async function getStatistics(
  session: AccountSession,
  abortSignal: AbortSignalLike | undefined,
): Promise<ServiceStatistics> {
  const lastSyncOn = new Date(Date.now());
  await session.request({ kind: 'getServiceProperties', fresh: true }, abortSignal);
  return { geoReplication: { status: 'live', lastSyncOn } };
}

// ------------------------------------------------------------------- records

const upper = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

const NUMBERS = ['days', 'maxAgeInSeconds'];
const TIMES = ['start', 'expiry'];
const FLAGS = ['read', 'write', 'delete', 'enabled', 'includeAPIs'];

function lineOf(kind: string, members: object): string {
  const record: Record<string, string> = { kind };
  for (const [name, member] of Object.entries(members) as [string, unknown][]) {
    if (!isObject(member) || isDate(member)) {
      add(record, upper(name), member);
    } else {
      for (const [inner, value] of Object.entries(member)) {
        add(record, `${upper(name)}.${upper(inner)}`, value);
      }
    }
  }
  return `${JSON.stringify(record)}\n`;
}

// A value that is no text becomes a text that the core refuses.
function add(record: Record<string, string>, name: string, value: unknown): void {
  if (value === undefined) return;
  const isTime = isDate(value) && !Number.isNaN(value.getTime());
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- the core refuses such a text
  record[name] = isTime ? value.toISOString() : String(value);
}

function recordsOf(lines = ''): [kind: string, members: Record<string, unknown>][] {
  return lines
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const { kind = '', ...texts } = JSON.parse(line) as Record<string, string>;
      const record: Record<string, unknown> = {};
      for (const [path, text] of Object.entries(texts)) {
        const [name = '', inner] = path.split('.').map(lower);
        if (inner === undefined) record[name] = valueOf(name, text);
        else record[name] = { ...(record[name] as object), [inner]: valueOf(inner, text) };
      }
      return [lower(kind), record];
    });
}

function valueOf(name: string, text: string): unknown {
  if (NUMBERS.includes(name)) return Number(text);
  if (TIMES.includes(name)) return new Date(text);
  return FLAGS.includes(name) ? text === 'true' : text;
}
