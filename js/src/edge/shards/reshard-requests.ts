/**
 * Requests about the number of shards of an account, at `?comp=shards`:
 *
 * - `GET` answers how far it is;
 * - `POST` takes a step; with the parameter `to`, it begins if nothing is under way;
 * - `DELETE` takes the first step back. The others are `POST`.
 *
 * The caller repeats the request while the answer has a state. No other part of the account drives
 * it, because the platform ends requests that take long.
 *
 * @module
 */

import { TableError } from '../../base/errors.js';
import type { ReshardingSteps } from './resharding.js';

/** Whether a request is one of these. */
export function isReshard(url: string, accountPath: string): boolean {
  const { pathname, searchParams } = new URL(url);
  return pathname.replace(/\/$/, '') === accountPath && searchParams.get('comp') === 'shards';
}

/**
 * Answers such a request, which must be of the owner of the account.
 *
 * @throws {@link TableError} `MethodNotAllowed`; as {@link ReshardingSteps}.
 */
export async function answerReshard(
  { method, url }: Request,
  resharding: ReshardingSteps,
): Promise<Response> {
  if (method === 'POST') {
    const to = new URL(url).searchParams.get('to');
    await resharding.advance(to === null ? undefined : /^\d+$/.test(to) ? Number(to) : NaN);
  } else if (method === 'DELETE') {
    await resharding.cancel();
  } else if (method !== 'GET') {
    throw new TableError(
      'MethodNotAllowed',
      "The resource doesn't support the specified HTTP verb.",
    );
  }
  return Response.json(await resharding.status());
}
