/**
 * Makes shared access signatures.
 *
 * Source: auth of the spec, 5.6 and 5.7.
 *
 * @module
 */

import { isDate } from '../../base/kinds.js';
import { checkedOptions, typeError } from '../../base/options.js';
import { keyBytes, signingKey } from './signature.js';
import { unixTimeOf } from './time.js';

/** The options of both kinds of signatures. */
export interface SasOptions {
  /** The account, and one of its keys in Base64. */
  readonly account: string;
  readonly key: string;

  /** Its first moment; by default it is valid at once. A text stays as it is. */
  readonly startsOn?: Date | string | undefined;

  /** An address, or two addresses with a hyphen between; both belong to the range. */
  readonly ipRange?: string | undefined;

  /** By default both. */
  readonly protocol?: 'https' | 'https,http' | undefined;

  /** The version of the service's protocol, `2015-04-05` or later; `2019-02-02` by default. */
  readonly version?: string | undefined;
}

/** Options of {@link generateTableSas}. */
export interface TableSasOptions extends SasOptions {
  readonly table: string;

  /** Letters of `raud`: read, add, update, delete. Here, or in the policy. */
  readonly permissions?: string | undefined;

  /** Here, or in the policy. */
  readonly expiresOn?: Date | string | undefined;

  /** The name of a stored access policy of the table. */
  readonly identifier?: string | undefined;

  /**
   * The first and the last entity that it is for. A RowKey needs its PartitionKey. No bound may be
   * empty: the service signs an empty bound as a missing one.
   */
  readonly startPartitionKey?: string | undefined;
  readonly startRowKey?: string | undefined;
  readonly endPartitionKey?: string | undefined;
  readonly endRowKey?: string | undefined;
}

/** Options of {@link generateAccountSas}. */
export interface AccountSasOptions extends SasOptions {
  /** Letters of `rwdlacu`: read, write, delete, list, add, create, update. */
  readonly permissions: string;

  /** Letters of `sco`: the service, tables, entities. */
  readonly resourceTypes: string;

  readonly expiresOn: Date | string;
}

const DEFAULT_VERSION = '2019-02-02';
const FIRST_VERSION = '2015-04-05';

// From this version on, the text has a line for an encryption scope, which tables do not have.
const FIRST_VERSION_WITH_SCOPE = '2020-12-06';

/** The parameters of an address that belong to a signature. */
export const SAS_PARAMETERS: readonly string[] = [
  ...['sv', 'ss', 'srt', 'tn', 'sp', 'st', 'se', 'si', 'sip', 'spr', 'ses', 'sig'],
  ...['spk', 'srk', 'epk', 'erk'],
];

/** Those parameters, by their names. */
export type SasFields = Readonly<Record<string, string | undefined>>;

/**
 * Makes a signature for a table, or for a range of its entities. Append it to the address of the
 * table as the query string; it has no question mark.
 *
 * @example
 * ```ts
 * const expiresOn = new Date(Date.now() + 3_600_000);
 * const sas = await generateTableSas({ account, key, table: 'Pets', permissions: 'r', expiresOn });
 * const pets = new TableClient(`https://${account}.table.core.windows.net?${sas}`, 'Pets');
 * ```
 * @throws a `TypeError`, if the options break a rule of the service.
 */
export async function generateTableSas(given: TableSasOptions): Promise<string> {
  const options = checkedOptions('generateTableSas', given, TABLE_OPTIONS, typeError);
  refuseMissing('generateTableSas', options, TABLE_NEEDS);
  const { account, key, table, identifier } = options;
  const {
    startPartitionKey: spk,
    startRowKey: srk,
    endPartitionKey: epk,
    endRowKey: erk,
  } = options;
  if (spk === undefined && srk !== undefined) refuse('startRowKey needs startPartitionKey');
  if (epk === undefined && erk !== undefined) refuse('endRowKey needs endPartitionKey');
  if (identifier === undefined && (!options.permissions || options.expiresOn === undefined)) {
    refuse('permissions and expiresOn are needed where there is no identifier');
  }
  refuseEmpty(options);
  const common = commonFields(options, options.expiresOn);
  const fields: SasFields = {
    ...common,
    tn: table,
    sp: options.permissions === undefined ? undefined : ordered(options.permissions, 'raud'),
    si: identifier,
    ...{ spk, srk, epk, erk },
  };
  return signed(key, fields, tableSasText(account, fields));
}

/**
 * Makes a signature for the tables of an account. Append it to the address of the account as the
 * query string; it has no question mark.
 *
 * @throws a `TypeError`, if the options break a rule of the service.
 */
export async function generateAccountSas(given: AccountSasOptions): Promise<string> {
  const options = checkedOptions('generateAccountSas', given, ACCOUNT_OPTIONS, typeError);
  refuseMissing('generateAccountSas', options, ACCOUNT_NEEDS);
  const { account, key } = options;
  const fields: SasFields = {
    ...commonFields(options, options.expiresOn),
    ss: 't',
    srt: ordered(options.resourceTypes, 'sco'),
    sp: ordered(options.permissions, 'rwdlacu'),
  };
  refuseEmpty(options);
  return signed(key, fields, accountSasText(account, fields));
}

/** Whether the text is a version of the service's protocol whose signatures are supported. */
export function isVersion(text: string): boolean {
  return text.length === FIRST_VERSION.length && text >= FIRST_VERSION && unixTimeOf(text) > 0;
}

const COMMON_OPTIONS = {
  account: 'string',
  key: 'string',
  permissions: 'string',
  startsOn: 'time',
  expiresOn: 'time',
  ipRange: 'string',
  protocol: ['https', 'https,http'],
  version: 'string',
} as const;
const ACCOUNT_OPTIONS = { ...COMMON_OPTIONS, resourceTypes: 'string' } as const;
const TABLE_OPTIONS = {
  ...COMMON_OPTIONS,
  table: 'string',
  identifier: 'string',
  startPartitionKey: 'string',
  startRowKey: 'string',
  endPartitionKey: 'string',
  endRowKey: 'string',
} as const;

const NEEDED = ['account', 'key'];
const ACCOUNT_NEEDS = [...NEEDED, 'permissions', 'resourceTypes', 'expiresOn'];
const TABLE_NEEDS = [...NEEDED, 'table'];

function refuseMissing(owner: string, options: object, needed: readonly string[]): void {
  const missing = needed.find((name) => (options as Record<string, unknown>)[name] === undefined);
  if (missing) refuse(`${owner} needs the option ${missing}`);
}

/** The text that a signature for a table signs. */
export function tableSasText(account: string, fields: SasFields): string {
  const { tn = '', sp, st, se, si, sip, spr, sv, spk, srk, epk, erk } = fields;
  const resource = `/table/${account}/${tn.toLowerCase()}`;
  return lines(sp, st, se, resource, si, sip, spr, sv, spk, srk, epk, erk);
}

/** The text that a signature for an account signs. */
export function accountSasText(account: string, fields: SasFields): string {
  const { sp, ss, srt, st, se, sip, spr, sv = '', ses } = fields;
  const scope = sv >= FIRST_VERSION_WITH_SCOPE ? [ses] : [];
  return `${lines(account, sp, ss, srt, st, se, sip, spr, sv, ...scope)}\n`;
}

// An empty field and a missing field have the same signature: a client could remove an empty bound
// from its address, and read the whole table.
function refuseEmpty(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === '') refuse(`${name} must not be empty: it would be signed as if it were missing`);
  }
}

function commonFields(options: SasOptions, expiresOn: Date | string | undefined): SasFields {
  const { version = DEFAULT_VERSION, startsOn, ipRange, protocol } = options;
  if (!isVersion(version)) refuse(`version must be a date, ${FIRST_VERSION} or later`);
  return {
    sv: version,
    st: timeText(startsOn),
    se: timeText(expiresOn),
    sip: ipRange,
    spr: protocol,
  };
}

// Without fractions of a second, as the service expects it.
function timeText(time: Date | string | undefined): string | undefined {
  return isDate(time) ? time.toISOString().replace(/\.\d+Z$/, 'Z') : time;
}

// The service expects the letters in its own order.
function ordered(letters: string, known: string): string {
  const text = [...known].filter((letter) => letters.includes(letter)).join('');
  if (letters.length === 0 || text.length !== letters.length) {
    refuse(`"${letters}" must be letters of ${known}, each once`);
  }
  return text;
}

const lines = (...fields: (string | undefined)[]) => fields.map((text = '') => text).join('\n');

async function signed(key: string, fields: SasFields, text: string): Promise<string> {
  const sign = await signingKey(keyBytes(key));
  const sig = await sign(text);
  return Object.entries({ ...fields, sig })
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    )
    .join('&');
}

function refuse(message: string): never {
  throw new TypeError(message);
}
