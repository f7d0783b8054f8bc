/**
 * `entitable reshard`: spreads an account over another number of Durable Objects.
 *
 * The account takes the steps. The command asks for one after another.
 *
 * @module
 */

import process from 'node:process';

import { stringToSign } from '../http/auth/shared-key.js';
import { keyBytes, signingKey } from '../http/auth/signature.js';
import { pause } from '../remote/exchange.js';
import { serviceError, type FailedAnswer } from '../remote/service-error.js';
import type { Output } from './commands.js';
import { interruptible } from './interruptible.js';
import { readOptions, UsageError } from './options.js';
import { placeOf, type AccountPlace } from './remote-options.js';
import { counted } from './table-move.js';

export const RESHARD_USAGE = `entitable reshard --at URL --shards N [options]
entitable reshard --at URL --cancel

Spreads an account of a Worker over N Durable Objects, from 2 to 400. The Worker must be deployed
with the option shards. Until all entities are copied, clients of the account can read, and their
writes get 503 ServerBusy. Entities keep their values, and get new etags.

  --cancel  open the account again as it was, unless everything is copied
  --quiet   print only failures
  --help    print this

The key comes from the environment: AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_KEY (with
AZURE_STORAGE_ACCOUNT, if the address does not name the account).

After an interruption or a failure, the same command goes on where it was.
It ends with 0 if everything is done; with 1 if something failed; with 2 if the command line is
wrong.`;

interface ReshardArguments {
  readonly url: string | undefined;
  /** Undefined: back to the present number. */
  readonly shards: number | undefined;
  readonly isQuiet: boolean;
}

/** The answer of the account. */
interface ShardStatus {
  readonly shards: number;
  readonly state?: string;
  readonly to?: number;
  readonly copied?: number;
}

/**
 * @param words - the words after the name of the command.
 * @throws {@link UsageError}
 */
export function parseReshard(words: readonly string[]): ReshardArguments {
  const options = readOptions(words, {
    withValue: ['--at', '--shards'],
    withoutValue: ['--cancel', '--quiet'],
  });
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
export async function reshard(words: readonly string[], output: Output): Promise<number> {
  const { print } = output;
  const { url, shards, isQuiet } = parseReshard(words);
  const place = placeOf(url, process.env);
  if (place.sas !== undefined) {
    throw new UsageError('reshard needs a key of the account, not a shared access signature');
  }
  return interruptible(isQuiet, output, async (line, signal) => {
    const { done, copied } = await takeSteps(place, shards, line.show, signal);
    line.clear();
    const entities = copied === 1 ? 'entity was' : 'entities were';
    const text = `the account has ${counted(done)} shards; ${counted(copied)} ${entities} copied`;
    if (!isQuiet) print(text);
    return 0;
  });
}

async function takeSteps(
  place: AccountPlace,
  shards: number | undefined,
  show: (text: string) => void,
  signal: AbortSignal,
) {
  const ask = await asker(place, signal);
  const target = shards === undefined ? 'comp=shards' : `comp=shards&to=${shards}`;
  let copied = 0;
  await ask('GET', 'comp=shards');
  for (;;) {
    const status = await ask(shards === undefined ? 'DELETE' : 'POST', target);
    copied = status.copied ?? copied;
    const isThere = shards === undefined || status.shards === shards;
    // A step of an earlier change may have been the last one of it.
    if (status.state === undefined && isThere) return { done: status.shards, copied };
    show(`${status.state}: ${counted(copied)} entities copied`);
  }
}

type Ask = (method: string, query: string) => Promise<ShardStatus>;

const MOST_FAILURES = 6;
const FIRST_WAIT_MS = 500;

/** Sends signed requests, and repeats those that had no answer, or 503. */
async function asker({ url, account, key }: AccountPlace, signal: AbortSignal): Promise<Ask> {
  const sign = key === undefined ? undefined : await signingKey(keyBytes(key));

  async function send(method: string, query: string): Promise<FailedAnswer> {
    const headers = new Headers({ 'x-ms-date': new Date(Date.now()).toUTCString() });
    const address = `${url}/?${query}`;
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
      if (answer && (answer.status !== 503 || failures === MOST_FAILURES)) {
        throw errorIn(answer, method);
      }
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

function errorIn(answer: FailedAnswer, method: string): Error {
  const { status } = answer;
  // Other accounts do not know the request.
  if (method === 'GET' && ![401, 403, 503].includes(status)) return new Error(NO_WORKER);
  const error = serviceError(answer);
  if (!error) return new Error(`the account has answered ${status}`);
  return new Error(`${error.code}: ${error.message}`);
}
