// run.ts - sends the same random requests to both servers, and collects the differences.

import { randomSource } from '../../../scripts/conformance/random.mjs';
import { seenOf, type Seen } from './answer.js';
import { explain, isEqual, type Exchange } from './differences.js';
import type { Peer } from './peer.js';
import { RandomRequests, type Random } from './random-requests.js';
import type { WireRequest } from './request.js';

export interface Report {
  /** How often each known difference occurred. */
  readonly known: Map<string, number>;
  readonly unknown: Exchange[];
  readonly same: number;
}

// After so many requests, or after a difference in the stored data, a new table is used.
const REQUESTS_OF_TABLE = 60;

/** @param openTheirs - starts the emulator, also after it has broken down. */
export async function compare(
  ours: Peer,
  openTheirs: () => Promise<Peer>,
  { seed, requests }: { readonly seed: number; readonly requests: number },
): Promise<Report> {
  const random: Random = randomSource(seed);
  const known = new Map<string, number>();
  const unknown: Exchange[] = [];
  let same = 0;
  let theirs = await openTheirs();
  let left = 0;
  let source: RandomRequests | undefined;
  for (let count = 0, tables = 0; count < requests; count++) {
    if (left-- <= 0 || !source) {
      const table = `T${`${tables++}`.padStart(6, '0')}x`;
      for (const peer of [ours, theirs]) await peer.send(creationOf(table));
      source = new RandomRequests(random, table);
      left = REQUESTS_OF_TABLE;
    }
    const request = source.next();
    const [first, second] = await Promise.all([ours.send(request), theirs.send(request)]);
    const exchange = { request, ours: seenOf(first), theirs: seenOf(second) };
    if (isEqual(exchange.ours, exchange.theirs)) {
      same++;
      continue;
    }
    const names = explain(exchange);
    for (const name of names ?? []) known.set(name, (known.get(name) ?? 0) + 1);
    if (!names) unknown.push(exchange);
    if (request.method !== 'GET' && mayDiverge(exchange)) left = 0;
    // After such an answer, the emulator answers every batch with 500.
    if (request.target === '/$batch' && second.status === 500) {
      theirs.close();
      theirs = await openTheirs();
      left = 0;
    }
  }
  theirs.close();
  return { known, unknown, same };
}

const succeeded = ({ status, parts }: Seen) =>
  status < 400 && !parts?.some((one) => one.status >= 400);

// Only one server accepted the write, or the servers may have stored its values differently.
function mayDiverge({ ours, theirs, request }: Exchange): boolean {
  if (succeeded(ours) !== succeeded(theirs)) return true;
  return succeeded(ours) && request.tags.some((tag) => STORED_IN_TWO_WAYS.includes(tag));
}

const STORED_IN_TWO_WAYS = ['wide-integer', 'int64-number', 'bad-int32'];

const creationOf = (table: string): WireRequest => ({
  method: 'POST',
  target: '/Tables',
  headers: { 'Content-Type': 'application/json', Accept: 'application/json;odata=nometadata' },
  body: JSON.stringify({ TableName: table }),
  tags: [],
  keys: [],
});
