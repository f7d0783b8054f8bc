/**
 * Fetches what the remote account has: changes, rows that became visible late, and deletions.
 *
 * @module
 */

import { isTableError } from '../base/errors.js';
import { both, filterOf, literal, type RemotePage } from './remote-table.js';
import { askedWith, type Asked, type KeyPair, type StepAnswer } from './steps.js';
import { createTable, readRow, readRows, takeRow, takeRows, type TableSync } from './table-sync.js';

type Scope = string | undefined;

const since = (from: string | undefined) =>
  from === undefined ? '' : `Timestamp ge datetime'${from}'`;

/**
 * Fetches what has changed since the last pull; the first time, all rows.
 *
 * @returns whether it has come to the end.
 * @throws {@link NotNow}; {@link TableError}.
 */
export async function pull(table: TableSync, scope: Scope): Promise<boolean> {
  while (!table.isOver()) {
    const next = await table.steps.take('nextPull', { scope });
    const isWhole = await pullFrom(table, scope, next);
    if (isWhole !== undefined) return isWhole;
  }
  return false;
}

// Fetches a page while the one before it is stored. Returns undefined if the pull has to ask for
// its position again.
async function pullFrom(table: TableSync, scope: Scope, next: StepAnswer) {
  const { steps, remote } = table;
  const filter = both(filterOf(scope), since(next.from));
  const fetch = (token: string | undefined) => settled(remote.page({ filter, token }));
  let position = BigInt(next.position!);
  let asked = askedWith(next);
  let { token } = next;
  let coming = fetch(token);
  while (!table.isOver()) {
    const { page, error } = await coming;
    if (!page) return await restart(table, scope, token, error);
    const given = { scope, position: String(position), ...asked };
    asked = await steps.ask();
    ({ token } = page);
    if (token) coming = fetch(token);
    const answer = await takeRows(table, 'applyPage', { ...given, token, date: page.date }, [
      page.text,
    ]);
    if (answer.isComplete) return true;
    position++;
  }
  return false;
}

// A page, or why there is none: nobody may be waiting for it when it fails.
function settled(page: Promise<RemotePage>) {
  return page.then(
    (page) => ({ page, error: undefined }),
    (error: unknown) => ({ page: undefined, error }),
  );
}

async function restart(table: TableSync, scope: Scope, token: string | undefined, error: unknown) {
  if (!isTableError(error)) throw error;
  if (error.code === 'TableNotFound') await createTable(table, error);
  else if (token && error.statusCode === 400) await table.steps.take('restartPull', { scope });
  else throw error;
  return undefined;
}

/**
 * Looks for rows that became visible late, by keys and etags.
 *
 * @throws as `pull()`.
 */
export async function pullWide(table: TableSync, scope: Scope): Promise<void> {
  const { from } = await table.steps.take('widePull', { scope });
  if (from === undefined) return;
  let date: string | undefined;
  let token: string | undefined;
  do {
    const asked = await table.steps.ask();
    const filter = both(filterOf(scope), since(from));
    const page = await table.remote.page({ filter, token, keysOnly: true });
    date ??= page.date;
    const answer = await table.steps.take('findChanged', { scope, ...asked }, [page.text]);
    await readRows(table, answer.changed as readonly KeyPair[]);
    ({ token } = page);
    if (table.isOver()) return;
  } while (token);
  await table.steps.take('completeWidePull', { scope, date });
}

/** Rows that are missing in a page of the remote account, and when it was requested. */
interface Missing {
  readonly key: KeyPair;
  readonly asked: Asked;
}

/** What a list of all keys has shown. */
interface Found {
  missing: Missing[];
  doubtful: KeyPair[];
  /** How many rows this account knows. */
  known: number;
  isSuspicious: boolean;
}

/**
 * Finds rows that were deleted in the remote account, by listing all keys.
 *
 * @returns how many rows this account knows; undefined, if it has not come to the end.
 * @throws as `pull()`.
 */
export async function reconcile(table: TableSync, scope: Scope): Promise<number | undefined> {
  const found = (await listInOrder(table, scope)) ?? (await listAtOnce(table, scope));
  if (table.isOver()) return undefined;
  const { missing, doubtful, known, isSuspicious } = found;
  if (isSuspicious && (await isWrong(table, missing))) return undefined;
  for (const { key, asked } of missing) await takeRow(table, key, asked, undefined);
  for (const key of doubtful) await readRow(table, key);
  return known;
}

const EMPTY_PAGE = '{"value":[]}';

// Of a remote account that lists keys in their order. Returns undefined if this one does not.
async function listInOrder(table: TableSync, scope: Scope): Promise<Found | undefined> {
  const found: Found = { missing: [], doubtful: [], known: 0, isSuspicious: false };
  let after: KeyPair | undefined;
  let token: string | undefined;
  let isBehind = false;
  while (!table.isOver()) {
    const asked = await table.steps.ask();
    const filter = both(filterOf(scope), isBehind ? behind(scope, after) : '');
    const page = await table.remote.page({ filter, token, keysOnly: true });
    const compare = (text: string, end: boolean) =>
      table.steps.take(
        'compare',
        { scope, ...asked, date: page.date, ...afterOf(after), end, ...countsOf(found) },
        [text],
      );
    const answer = await compare(page.text, false);
    if (answer.isUnsorted) return undefined;
    add(answer, asked, found);
    await readRows(table, answer.unknown ?? []);
    const last = lastKeyIn(page.text);
    after = last ?? after;
    ({ token } = page);
    if (token) continue;
    const rest = await compare(EMPTY_PAGE, true);
    const isLast = rest.missing?.length === 0 && rest.doubtful?.length === 0;
    // Rows behind the last key count as deleted only if a query for greater keys finds none.
    if (isLast || (isBehind && !last)) {
      add(rest, asked, found);
      return found;
    }
    isBehind = true;
  }
  return found;
}

const afterOf = (after: KeyPair | undefined) =>
  after && { afterPartitionKey: after[0], afterRowKey: after[1] };
const countsOf = ({ missing, known }: Found) => ({
  missing: String(missing.length),
  known: String(known),
});

function add(answer: StepAnswer, asked: Asked, found: Found): void {
  const { missing = [], doubtful = [], known = 0, isSuspicious = false } = answer;
  found.missing.push(...missing.map((key) => ({ key, asked })));
  found.doubtful.push(...doubtful);
  found.known = known;
  found.isSuspicious = isSuspicious;
}

// Of any other: the whole list is compared at its end.
async function listAtOnce(table: TableSync, scope: Scope): Promise<Found> {
  const found: Found = { missing: [], doubtful: [], known: 0, isSuspicious: false };
  const asked = await table.steps.ask();
  const texts: string[] = [];
  let date: string | undefined;
  let token: string | undefined;
  do {
    const page = await table.remote.page({ filter: filterOf(scope), token, keysOnly: true });
    date ??= page.date;
    texts.push(page.text);
    ({ token } = page);
    if (table.isOver()) return found;
  } while (token);
  const answer = await table.steps.take('compare', { scope, ...asked, date, end: true }, texts);
  add(answer, asked, found);
  await readRows(table, answer.unknown ?? []);
  return found;
}

// Before many rows are deleted, three of them are read. If one is there, the list was wrong.
async function isWrong({ remote, warn }: TableSync, missing: readonly Missing[]) {
  const samples = [0, missing.length >> 1, missing.length - 1];
  for (const { key } of samples.map((at) => missing[at]!)) {
    if ((await remote.entity(key)) === undefined) continue;
    const [partitionKey, rowKey] = key;
    warn({ partitionKey, rowKey, reason: WRONG_LIST });
    return true;
  }
  return false;
}

const WRONG_LIST = 'A list of the remote account did not have the row, which is there.';

// Greater keys.
function behind(scope: Scope, after: KeyPair | undefined): string {
  if (!after) return '';
  const [partitionKey, rowKey] = after.map(literal);
  const inPartition = `PartitionKey eq ${partitionKey} and RowKey gt ${rowKey}`;
  return scope === undefined
    ? `(PartitionKey gt ${partitionKey}) or (${inPartition})`
    : `RowKey gt ${rowKey}`;
}

function lastKeyIn(text: string): KeyPair | undefined {
  const { value } = JSON.parse(text) as { value: { PartitionKey?: string; RowKey?: string }[] };
  const { PartitionKey, RowKey } = value.at(-1) ?? {};
  // A row without keys was refused.
  return PartitionKey === undefined || RowKey === undefined ? undefined : [PartitionKey, RowKey];
}
