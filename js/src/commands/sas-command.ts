/**
 * `entitable sas`: prints a shared access signature.
 *
 * @module
 */

import { isAddressRange } from '../http/auth/address-range.js';
import { generateAccountSas, generateTableSas } from '../http/auth/sas.js';
import { placeOf } from './account/remote-options.js';
import type { CommandContext } from './line/command.js';
import { readOptions, UsageError } from './line/options.js';
import type { CommandUsage } from './line/usage.js';

/** The usage of the command. */
export const SAS = {
  summary: 'prints a shared access signature for a table or an account',
  forms: ['--at URL [--table NAME] --permissions LETTERS --expires WHEN [options]'],
  about: ['Makes the signature here, with a key of the account. It sends nothing.'],
  options: {
    '--at': { value: 'URL', text: 'the address of the account' },
    '--table': { value: 'NAME', text: 'only for this table' },
    '--permissions': {
      value: 'LETTERS',
      text: 'of a table: r read, a add, u update, d delete; of an account: rwdlacu, with l list and c create',
    },
    '--expires': {
      value: 'WHEN',
      text: 'how long it is valid: 30m, 8h or 7d; or until when: 2030-01-31T12:00:00Z',
    },
    '--ip': {
      value: 'RANGE',
      text: 'only from this IPv4 address, or from two with a hyphen between and those between them',
    },
    '--url': { text: 'print the address with the signature' },
    '--json': { text: 'print one object, with the address and the signature' },
  },
  notes: [
    'The key comes from the environment: AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_KEY ' +
      '(with AZURE_STORAGE_ACCOUNT, if the address does not name the account). With a connection ' +
      'string, --at may be left out. Anyone who has the signature can use it until it expires.',
  ],
} as const satisfies CommandUsage;

/** Runs the command. */
export async function sas(
  words: readonly string[],
  { write, environment }: CommandContext,
): Promise<number> {
  const options = readOptions(words, SAS.options);
  const [permissions, when] = [options.get('--permissions'), options.get('--expires')];
  if (permissions === undefined || when === undefined) {
    throw new UsageError('sas takes --at URL --permissions LETTERS --expires WHEN');
  }
  const { url, account, key } = placeOf(options.get('--at'), environment);
  if (account === undefined || key === undefined) {
    throw new UsageError('sas needs a key of the account in AZURE_STORAGE_KEY');
  }
  const expiresOn = expiryOf(when);
  const table = options.get('--table');
  const ipRange = options.get('--ip');
  if (ipRange !== undefined && !isAddressRange(ipRange)) {
    throw new UsageError(
      '--ip takes an IPv4 address, or two with a hyphen between: 10.0.0.1-10.0.0.9',
    );
  }
  const common = { account, key, permissions, expiresOn, ipRange };
  const signature = await (
    table === undefined
      ? generateAccountSas({ ...common, resourceTypes: 'sco' })
      : generateTableSas({ ...common, table })
  ).catch((error: unknown) => {
    // The rules of the service.
    throw isRuleOfService(error) ? new UsageError(error.message) : error;
  });
  const address = `${url}?${signature}`;
  const whole = { url: address, sas: signature, expires: expiresOn.toISOString() };
  const text = options.has('--url') ? address : signature;
  await write(options.has('--json') ? JSON.stringify(whole) : text);
  return 0;
}

const isRuleOfService = (error: unknown): error is TypeError =>
  (error as Partial<Error>).name === 'TypeError';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function expiryOf(text: string): Date {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const time =
    unit === undefined ? timeIn(text) : new Date(Date.now() + Number(count) * UNITS[unit]!);
  if (time === undefined) {
    throw new UsageError('--expires takes 30m, 8h, 7d or a time such as 2030-01-31T12:00:00Z');
  }
  if (time.getTime() <= Date.now()) throw new UsageError('--expires takes a time in the future');
  return time;
}

// A day that the month does not have would be one of the next month.
function timeIn(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/.test(text)) return undefined;
  const time = new Date(text);
  const isSame = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 10));
  return isSame ? time : undefined;
}
