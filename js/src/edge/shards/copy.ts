/**
 * Copies entities from a shard to other shards.
 *
 * @module
 */

import { forEachAtOnce } from '../../base/at-once.js';
import { MAX_TRANSACTION_PARTS } from '../../base/limits.js';
import { textOfUtf8 } from '../../base/utf8.js';
import { failureOf } from './failures.js';
import { keyIn, readFeed } from './feed.js';
import { pathOfEntity } from './paths.js';
import type { Backend } from './protocol.js';
import { shardOf } from './shard-of.js';
import { nextIn, TOKEN_NAMES, tokensOf, type Key } from './token.js';

/** Where a page of entities is, and where it goes. */
export interface PageCopy {
  readonly baseUrl: string;
  /** The name as first written. */
  readonly table: string;
  readonly source: Backend;
  readonly targets: readonly Backend[];
  /** The first entity; undefined: that of the table. */
  readonly from?: Key | undefined;
}

/** What was copied, and where the next page begins. */
export interface CopiedPage {
  readonly entities: number;
  /** How many requests to shards it took. */
  readonly requests: number;
  readonly next: Key | undefined;
}

/** An entity as the shard wrote it. */
interface Row {
  readonly key: Key;
  readonly json: string;
}

// The platform allows 1,000 requests to objects for each request, and six at a time. A page of
// entities that have all partitions of their own needs one for each.
const PAGE_ENTITIES = 400;
const AT_ONCE = 6;

// A request has at most 4 MiB, and each entity has an address beside it. In UTF-16 units, each of
// at most three bytes.
const MAX_BATCH_LENGTH = 2 ** 20;

/**
 * Copies one page. It may be repeated, because it replaces entities.
 *
 * @throws {@link TableError} with the code of the shard that has refused.
 */
export async function copyPage(given: PageCopy): Promise<CopiedPage> {
  const copy = { ...given };
  const { targets, table } = copy;
  const { rows, next } = await readPage(copy);
  const batches = batchesOf(rows);
  await forEachAtOnce(batches, AT_ONCE, async (batch) => {
    const { partitionKey } = batch[0]!.key;
    const target = targets[shardOf(table.toLowerCase(), partitionKey, targets.length)]!;
    await store(target, copy, batch);
  });
  return { entities: rows.length, requests: 1 + batches.length, next };
}

async function readPage({ baseUrl, table, source, from }: PageCopy) {
  const tokens = from ? tokensOf(from).map((token, at) => [TOKEN_NAMES[at]!, token]) : [];
  const query = new URLSearchParams([['$top', `${PAGE_ENTITIES}`], ...tokens]);
  const headers = { Accept: 'application/json;odata=minimalmetadata' };
  const answer = await source(new Request(`${baseUrl}/${table}()?${query}`, { headers }));
  if (answer.status !== 200) throw await failureOf(answer);
  const { entities } = readFeed(textOfUtf8(new Uint8Array(await answer.arrayBuffer())));
  return {
    rows: entities.map((json): Row => ({ key: keyIn(json), json })),
    next: nextIn(answer.headers),
  };
}

// Rows of one partition are in order, so they follow each other.
function batchesOf(rows: readonly Row[]): Row[][] {
  const batches: Row[][] = [];
  let length = 0;
  for (const row of rows) {
    const last = batches.at(-1);
    const fits =
      last?.[0]?.key.partitionKey === row.key.partitionKey &&
      last.length < MAX_TRANSACTION_PARTS &&
      length + row.json.length <= MAX_BATCH_LENGTH;
    if (fits) last.push(row);
    else batches.push([row]);
    length = fits ? length + row.json.length : row.json.length;
  }
  return batches;
}

async function store(target: Backend, { baseUrl, table }: PageCopy, rows: Row[]): Promise<void> {
  const addressOf = ({ key }: Row) => baseUrl + pathOfEntity(table, key);
  if (rows.length === 1) {
    const [row] = rows as [Row];
    const init = { method: 'PUT', headers: JSON_BODY, body: row.json };
    const answer = await target(new Request(addressOf(row), init));
    if (answer.status !== 204) throw await failureOf(answer);
    return;
  }
  const parts = rows.map((row) =>
    [
      ...['--changeset_1', 'Content-Type: application/http', 'Content-Transfer-Encoding: binary'],
      ...['', `PUT ${addressOf(row)} HTTP/1.1`, 'Content-Type: application/json'],
      ...['', row.json, ''],
    ].join('\r\n'),
  );
  const head = '--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n';
  const body = `${head}${parts.join('')}--changeset_1--\r\n--batch_1--\r\n`;
  const headers = { 'Content-Type': 'multipart/mixed; boundary=batch_1' };
  const request = new Request(`${baseUrl}/$batch`, { method: 'POST', headers, body });
  const answer = await target(request);
  if (answer.status !== 202) throw await failureOf(answer);
  const text = await answer.text();
  const stored = text.match(/^HTTP\/1\.1 204 /gm)?.length;
  if (stored !== rows.length) throw await failureOf(new Response(text, { status: 500 }));
}

const JSON_BODY = { 'Content-Type': 'application/json' };
