/**
 * Sends rows to the remote account.
 *
 * @module
 */

import { isTableError, type TableError } from '../base/errors.js';
import type { Lost, Received } from '../remote/exchange.js';
import { serviceError } from '../remote/service-error.js';
import { isNotNow, NotNow } from './remote-table.js';
import type { StepAnswer } from './steps.js';
import { createTable, rangeOf, readRow, takeRows, type TableSync } from './table-sync.js';

// A request is assumed to have no effect two minutes after the core has stored it as sent. The
// request itself may take one minute.
const MAX_DELAY_MS = 30_000;

/**
 * Sends all rows of a partition that are ready.
 *
 * @throws {@link NotNow}; {@link TableError}, if the app has to do something.
 */
export async function push(
  table: TableSync,
  scope: string | undefined,
  partitionKey: string,
): Promise<void> {
  const { steps, remote } = table;
  const { rows = [] } = await steps.take('rowsToRead', { partitionKey });
  for (const key of rows) await readRow(table, key);
  while (!table.isOver()) {
    const begun = Date.now();
    const target = { scope, partitionKey, url: remote.url, remoteTable: remote.name };
    const request = await steps.take('beginPush', target);
    const { number, sentAt, contentType, body } = request;
    if (number === undefined) {
      if (request.isSettling) table.settle();
      return;
    }
    // The page was frozen meanwhile: the same request is made again.
    if (Date.now() - begun > MAX_DELAY_MS) continue;
    const of = { partitionKey, number, sentAt };
    const received = await remote.push(contentType!, body!).catch(async (error: unknown) => {
      // There was no credential to send it with.
      await steps.take('completePush', { ...of, status: '0', unsent: true });
      throw error;
    });
    const { texts, ...answer } = answerOf(received);
    const complete = (forbidden: boolean) =>
      steps.take('completePush', { ...of, ...answer, forbidden }, texts);
    const { next } = await complete(false);
    if (next === 'done') table.progress(0, request.rowKeys?.length ?? 0);
    else if (next === 'settle') await settle(table, of, request);
    else if (next === 'noTable') await createTable(table, remote.failure(received));
    else if (next === 'credentialsOnce') await complete(true);
    else if (next === 'retry' || next === 'credentials') throw laterThan(remote.failure(received));
  }
}

// What the core is told. The answer to a batch has a part for each row.
function answerOf(received: Received | Lost) {
  if ('cause' in received) return { ...LOST, unsent: received.isUnsent };
  const { status, text } = received;
  if (status < 400) return { status: String(status), texts: [text] };
  const error = serviceError(received);
  // What is not of the service says nothing of the rows, such as a page that asks to sign in.
  if (!error) return LOST;
  const { code, message } = error;
  return {
    status: String(status),
    texts: [JSON.stringify({ code, value: message })],
  };
}

const LOST = { status: '0', texts: [] };

function laterThan(error: Error): Error {
  const isOfCredential = isTableError(error) && error.statusCode === 401;
  if (isNotNow(error) || isOfCredential) return error;
  return new NotNow(error as TableError, 0);
}

interface Push {
  readonly [name: string]: string | undefined;
  readonly partitionKey: string;
  readonly number: string;
  readonly sentAt: string | undefined;
}

// Compares all rows of the request with what the remote account has.
async function settle(table: TableSync, push: Push, { rowKeys = [] }: StepAnswer): Promise<void> {
  const asked = await table.steps.ask();
  const texts: string[] = [];
  let token: string | undefined;
  do {
    const page = await rangeOf(table, push.partitionKey, rowKeys, token);
    texts.push(page.text);
    ({ token } = page);
  } while (token);
  // What is too old changes nothing, and the request is made again.
  const answer = await takeRows(table, 'settle', { ...push, ...asked }, texts);
  // The resolver has failed.
  if (answer.conflicts?.length) await table.steps.take('postpone', push);
}
