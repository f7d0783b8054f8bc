/**
 * `entitable reshard`: spreads an account over another number of Durable Objects.
 *
 * The account takes the steps. The command asks for one after another.
 *
 * @module
 */

import { stringToSign } from '../http/auth/shared-key.js';
import { keyBytes, signingKey } from '../http/auth/signature.js';
import { pause } from '../remote/exchange.js';
import { serviceError, type FailedAnswer } from '../remote/service-error.js';
import { placeOf, type AccountPlace } from './account/remote-options.js';
import type { CommandContext } from './line/command.js';
import { interruptible } from './line/interruptible.js';
import { readOptions, UsageError } from './line/options.js';
import type { CommandUsage } from './line/usage.js';
import { counted } from './move/table-move.js';

/** The usage of the command. */
export const RESHARD = {
  summary: 'spreads an account of a Worker over another number of Durable Objects',
  forms: ['--at URL --shards N [options]', '--at URL --cancel [options]'],
  about: [
    'Spreads an account of a Worker over N Durable Objects, from 2 to 400. The Worker must be ' +
      'deployed with the option shards. Until all entities are copied, clients of the account can ' +
      'only read: their writes get 503 ServerBusy. Entities keep their values, and get new etags.',
  ],
  options: {
    '--at': { value: 'URL', text: 'the address of the account' },
    '--shards': { value: 'N', text: 'how many objects it gets' },
    '--cancel': { text: 'open the account again as it was, unless everything is copied' },
    '--quiet': { text: 'print only failures' },
  },
  notes: [
    'The key comes from the environment: AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_KEY ' +
      '(with AZURE_STORAGE_ACCOUNT, if the address does not name the account). With a connection ' +
      'string, --at may be left out.',
    'After an interruption or a failure, clients can only read until you run the same command ' +
      'again, which goes on where it was, or with --cancel.\nIt ends with 0 if everything is done; ' +
      'with 1 if something failed; with 2 if the command line is wrong.',
  ],
} as const satisfies CommandUsage;

interface ReshardArguments {
  readonly url: string | undefined;
  /** Undefined: back to the present number. */
  readonly shards: number | undefined;
  readonly isQuiet: boolean;
}

/** The answer of the account. */
interface ShardStatus {
  readonly shards: number;
  /** Undefined: nothing is under way. */
  readonly state?: string;
  readonly table?: string;
  readonly copied?: number;
}

/**
 * @param words - the words after the name of the command.
 * @throws {@link UsageError}
 */
export function parseReshard(words: readonly string[]): ReshardArguments {
  const options = readOptions(words, RESHARD.options);
  const [text, isCancelled] = [options.get('--shards'), options.has('--cancel')];
  if ((text === undefined) !== isCancelled) {
    throw new UsageError('reshard takes --at URL, and one of --shards N and --cancel');
  }
  if (text !== undefined && !/^\d{1,9}$/.test(text)) {
    throw new UsageError('--shards takes a number from 2 to 400');
  }
  return {
    url: options.get('--at'),
    shards: text === undefined ? undefined : Number(text),
    isQuiet: options.has('--quiet'),
  };
}

/** Runs the command. */
export async function reshard(words: readonly string[], context: CommandContext): Promise<number> {
  const { url, shards, isQuiet } = parseReshard(words);
  const place = placeOf(url, context.environment);
  if (place.sas !== undefined) {
    throw new UsageError('reshard needs a key of the account, not a shared access signature');
  }
  const print = isQuiet ? () => {} : context.print;
  const hint = 'clients can only read until you run it again, or with --cancel';
  return interruptible(isQuiet, context, hint, async (line, signal) => {
    const ask = await asker(place, signal);
    const show = ({ state, table, copied = 0 }: ShardStatus) =>
      line.show(`${[state, table].filter(Boolean).join(' ')}: ${counted(copied)} entities copied`);
    const before = await ask('GET', '');
    const text = await (shards === undefined
      ? back(ask, before, show)
      : on(ask, before, shards, show));
    line.clear();
    print(text);
    return 0;
  });
}

type Show = (status: ShardStatus) => void;

async function on(ask: Ask, before: ShardStatus, to: number, show: Show): Promise<string> {
  const isOther = ['clearing', 'cancelling'].includes(before.state ?? '');
  // An earlier change may have left something to clear.
  if (isOther) await finish(ask, before, show);
  const first = await ask('POST', `&to=${to}`);
  const copied = await finish(ask, first, show);
  const { shards } = await ask('GET', '');
  if (shards !== to) throw new Error(`another command has cancelled it: ${has(shards)}`);
  return `${has(shards)}; ${counted(copied)} ${copied === 1 ? 'entity was' : 'entities were'} copied`;
}

async function back(ask: Ask, before: ShardStatus, show: Show): Promise<string> {
  if (before.state === undefined) return `nothing to cancel: ${has(before.shards)}`;
  await finish(ask, await ask('DELETE', ''), show);
  return `cancelled: ${has((await ask('GET', '')).shards)}`;
}

const has = (shards: number) => `the account has ${counted(shards)} objects`;

/** Asks for steps to the end. Returns how many entities were copied. */
async function finish(ask: Ask, first: ShardStatus, show: Show): Promise<number> {
  let copied = 0;
  for (let status = first; status.state !== undefined; status = await ask('POST', '')) {
    copied = status.copied ?? copied;
    show(status);
  }
  return copied;
}

type Ask = (method: string, query: string) => Promise<ShardStatus>;

const MOST_FAILURES = 6;
const FIRST_WAIT_MS = 500;

/** Sends signed requests, and repeats those that may succeed later. */
async function asker({ url, account, key }: AccountPlace, signal: AbortSignal): Promise<Ask> {
  const sign = key === undefined ? undefined : await signingKey(keyBytes(key));

  async function send(method: string, query: string): Promise<FailedAnswer> {
    const headers = new Headers({ 'x-ms-date': new Date(Date.now()).toUTCString() });
    const address = `${url}/?comp=shards${query}`;
    const target = address.slice(new URL(url).origin.length);
    if (sign) {
      const text = stringToSign('SharedKeyLite', account!, { method, target, headers });
      headers.set('Authorization', `SharedKeyLite ${account}:${await sign(text)}`);
    }
    const answer = await fetch(address, { method, headers, signal });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  return async (method, query) => {
    for (let failures = 1; ; failures++) {
      const answer = await send(method, query).catch((error: unknown) => {
        if (signal.aborted || failures === MOST_FAILURES) throw error;
      });
      if (answer?.status === 200) return statusIn(answer.text);
      if (answer && (!mayPass(answer) || failures === MOST_FAILURES)) throw errorIn(answer, method);
      await pause(FIRST_WAIT_MS * 2 ** (failures - 1), signal);
    }
  };
}

function statusIn(text: string): ShardStatus {
  try {
    const status = JSON.parse(text) as ShardStatus;
    if (Number.isInteger(status.shards)) return status;
  } catch {
    // Another service may answer anything.
  }
  throw new Error(NO_WORKER);
}

const NO_WORKER = 'this is no account of a Worker with the option shards';

const mayPass = (answer: FailedAnswer) =>
  [429, 500, 502, 503, 504].includes(answer.status) &&
  serviceError(answer)?.code !== 'StorageUnavailable';

function errorIn(answer: FailedAnswer, method: string): Error {
  const { status } = answer;
  // Other accounts do not know the request.
  if (method === 'GET' && [400, 404, 405, 501].includes(status)) return new Error(NO_WORKER);
  const error = serviceError(answer);
  if (!error) return new Error(`the account has answered ${status}`);
  if (error.code === 'StorageUnavailable') return new Error(`${error.code}: ${NOT_OPEN}`);
  return new Error(`${error.code}: ${error.message}`);
}

const NOT_OPEN =
  'the account cannot be opened. If its tables are in one object, see "From one object to ' +
  'several" in the guide "At the edge"; otherwise the log of the Worker has the reason';
