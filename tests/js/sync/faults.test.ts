// What sync does when the remote account refuses, hides rows, or does not sort.

import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { syncTables, type SyncTableOptions } from '../../../js/src/sync.js';
import { SyncSteps } from '../../../js/src/sync/steps.js';
import { rejection, tableError } from '../support/rejection.js';
import {
  advance,
  isPush,
  lost,
  openBehind,
  openCloud,
  openReplica,
  refusal,
  rowsOf,
  URL,
  type Cloud,
  type Fault,
} from './support.js';

interface Page {
  value: { RowKey: string }[];
}

const row = (rowKey: string, rest: object = {}) => ({ partitionKey: 'p', rowKey, ...rest });
const isList = ({ url }: Request) => url.includes('select=');

/** The same answer with another page. */
async function changed(answer: Response, change: (page: Page) => void) {
  const page = (await answer.json()) as Page;
  change(page);
  return new Response(JSON.stringify(page), answer);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
});

it('names the table that is missing in the remote account', async () => {
  const cloud = await openCloud();
  const { sync } = await openReplica(cloud, { direction: 'pull', remoteTable: 'Tasks' });

  const { code, message } = await tableError(sync.once());

  expect(code).toBe('TableNotFound');
  expect(message).toContain('Remote table "Tasks".');
});

it('drops what it remembers of a deleted row when that does not count any more', async () => {
  const { account, sync, todos } = await openReplica(await openCloud());
  await todos.createEntity(row('1'));
  await sync.once();
  await todos.deleteEntity('p', '1');
  await sync.once();
  const steps = new SyncSteps(account.session, 'Todos');
  expect((await steps.take('expire')).rowKey).toBe('1');

  advance(11);
  await sync.once();

  expect((await steps.take('expire')).rowKey).toBeUndefined();
});

it('comes to the deletions in all partitions, though each round ends too early', async () => {
  const cloud = await openCloud();
  const partitions = Array.from({ length: 12 }, (_, i) => `p${i}`);
  for (const partitionKey of partitions) {
    await cloud.todos.createEntity({ partitionKey, rowKey: '1' });
  }
  let isSlow = false;
  const { sync, todos } = await openBehind(
    cloud,
    async (_, next) => {
      if (isSlow) vi.setSystemTime(Date.now() + 2600);
      return await next();
    },
    { partitions },
  );
  await sync.once();
  for (const partitionKey of partitions) await cloud.todos.deleteEntity(partitionKey, '1');
  advance(20);
  isSlow = true;

  sync.start();

  await vi.waitFor(async () => expect(await rowsOf(todos)).toEqual([]), 20_000);
});

it('reads a row whose insert was in doubt before it counts as deleted', async () => {
  const cloud = await openCloud();
  const answers: Fault[] = [lost, () => refusal(400, 'PropertyNameInvalid')];
  const intercept: Fault = (request, next) => {
    const answer = isPush(request) ? answers.shift() : undefined;
    return answer ? answer(request, next) : next();
  };
  const { sync, todos } = await openBehind(cloud, intercept, { reconcile: 'never' });
  await todos.createEntity(row('1'));
  await rejection(sync.once());
  await sync.once();
  await todos.deleteEntity('p', '1');
  await sync.once();
  // The first request may still arrive.
  expect(await sync.pending('Todos')).not.toEqual([]);

  advance(3);
  await sync.once();
  expect(await sync.pending('Todos')).toEqual([]);
});

it('begins again when the remote account refuses a continuation', async () => {
  const cloud = await openCloud();
  for (const rowKey of ['1', '2', '3']) await cloud.todos.createEntity(row(rowKey));
  let refused = 0;
  const fetch: Cloud['fetch'] = (url, init) => {
    const isNext = String(url).includes('NextRowKey');
    if (isNext && refused++ === 0) return refusal(400, 'InvalidInput');
    const isQuery = String(url).includes('Todos()');
    return cloud.fetch(
      isQuery ? `${String(url)}${/\?/.test(String(url)) ? '&' : '?'}$top=2` : url,
      init,
    );
  };
  const { sync, todos } = await openReplica({ fetch });

  await sync.once();

  expect(refused).toBeGreaterThan(1);
  expect(await rowsOf(todos)).toEqual(await rowsOf(cloud.todos));
});

it('asks for the rows of its partitions alone', async () => {
  const cloud = await openCloud();
  await cloud.todos.createEntity(row('1'));
  await cloud.todos.createEntity({ partitionKey: 'q', rowKey: '1' });
  const { sync, todos } = await openBehind(cloud, (_, next) => next(), { partitions: ['p'] });

  await sync.once();

  expect(await rowsOf(todos)).toEqual([row('1')]);
});

// A row that the first pull did not show, and that is too old for the next one.
async function openWithLateRow(options: SyncTableOptions) {
  const cloud = await openCloud();
  await cloud.todos.createEntity(row('late'));
  await cloud.todos.createEntity(row('there'));
  advance(5);
  let isLate = true;
  const replica = await openBehind(
    cloud,
    async (_, next) => {
      const answer = await next();
      if (!isLate) return answer;
      return await changed(answer, (page) => page.value.shift());
    },
    options,
  );
  await replica.sync.once();
  isLate = false;
  expect(await rowsOf(replica.todos)).toEqual([row('there')]);
  return { ...replica, cloud };
}

it('finds a row that became visible late by a wide pull', async () => {
  const { sync, todos } = await openWithLateRow({ reconcile: 'never' });
  advance(4);
  await sync.once();
  expect(await rowsOf(todos)).toHaveLength(1);

  advance(7);
  await sync.once();
  expect(await rowsOf(todos)).toEqual([row('late'), row('there')]);
});

it('fetches a row that a list of keys shows', async () => {
  const { sync, todos } = await openWithLateRow({ reconcile: 'poll' });
  advance(4);
  await sync.once();
  expect(await rowsOf(todos)).toEqual([row('late'), row('there')]);
});

// Rows that are old enough to count as deleted when a list does not have them.
async function openWithOldRows(count: number, change: (page: Page, request: Request) => void) {
  const cloud = await openCloud();
  for (let i = 1; i <= count; i++) await cloud.todos.createEntity(row(`${i}`));
  let isChanged = false;
  const replica = await openBehind(cloud, async (request, next) => {
    const answer = await next();
    if (!isChanged || !isList(request)) return answer;
    return await changed(answer, (page) => change(page, request));
  });
  await replica.sync.once();
  advance(20);
  isChanged = true;
  return { ...replica, cloud };
}

it('asks for keys behind the last one before it believes that there are none', async () => {
  // A page that was cut off, with its continuation.
  const { sync, todos, warnings } = await openWithOldRows(3, (page, { url }) => {
    if (!url.includes('RowKey%20gt')) page.value.length = 1;
  });

  await sync.once();

  expect(await rowsOf(todos)).toHaveLength(3);
  expect(warnings).toEqual([]);
});

it('reads some of many missing rows first, and deletes none if one is there', async () => {
  const { sync, todos, warnings } = await openWithOldRows(3, (page) => {
    page.value = page.value.filter(({ RowKey }) => RowKey !== '2');
  });

  await sync.once();

  expect(await rowsOf(todos)).toHaveLength(3);
  expect(warnings).toEqual([
    '2: A list of the remote account did not have the row, which is there.',
  ]);
});

it('finds deletions in a list that is in no order', async () => {
  const { sync, todos, cloud } = await openWithOldRows(12, ({ value }) =>
    value.unshift(...value.splice(-1)),
  );
  await cloud.todos.deleteEntity('p', '3');

  await sync.once();

  expect(await rowsOf(todos)).toEqual(await rowsOf(cloud.todos));
});

it('lists keys only once a day if it is told so', async () => {
  const cloud = await openCloud();
  let lists = 0;
  const { sync } = await openBehind(
    cloud,
    (request, next) => {
      if (isList(request)) lists++;
      return next();
    },
    { reconcile: 'daily' },
  );

  await sync.once();
  const first = lists;
  await sync.once();
  expect(lists).toBe(first);
  advance(25 * 60);
  await sync.once();
  expect(lists).toBeGreaterThan(first);
});

it('tells of a remote account that has gone back to an older version', async () => {
  const cloud = await openCloud();
  await cloud.todos.createEntity(row('1'));
  let isBack = false;
  const { sync, warnings } = await openBehind(
    cloud,
    async (_, next) => {
      const answer = await next();
      if (!isBack) return answer;
      return await changed(answer, ({ value }) => {
        for (const entity of value as unknown as Record<string, string>[]) {
          entity['odata.etag'] = `W/"datetime'2001-01-01T00%3A00%3A00.5Z'"`;
        }
      });
    },
    { reconcile: 'never' },
  );
  await sync.once();
  isBack = true;
  await sync.once();

  expect(warnings).toEqual(['1: The remote account has gone back to an older version of the row.']);
});

it('says that it settles while a row that was deleted may still be there, for two minutes', async () => {
  const cloud = await openCloud();
  const answers: Fault[] = [lost];
  const intercept: Fault = (request, next) => {
    const answer = isPush(request) ? answers.shift() : undefined;
    return answer ? answer(request, next) : next();
  };
  const { sync, todos } = await openBehind(cloud, intercept);
  await todos.createEntity(row('1'));
  await rejection(sync.once());
  expect(sync.status.state).toBe('offline');
  await todos.deleteEntity('p', '1');

  await sync.once();
  expect(await rowsOf(cloud.todos)).toEqual([row('1')]);
  expect(sync.status).toMatchObject({ state: 'settling', pending: 1 });

  advance(3);
  await sync.once();
  expect(await rowsOf(cloud.todos)).toEqual([]);
  expect(sync.status).toMatchObject({ state: 'idle', pending: 0 });
});

it('does not send a row that was deleted after its request had not left', async () => {
  const cloud = await openCloud();
  let answers = 0;
  const pushes: Request[] = [];
  const intercept: Fault = (request, next) => {
    if (!isPush(request)) return next();
    pushes.push(request);
    return answers++ === 0 ? refusal(401, 'AuthenticationFailed') : next();
  };
  const { account, todos } = await openReplica(cloud);
  let asked = 0;
  const sas = () => {
    // There is no network when the first one is not accepted any more.
    if (++asked === 2) return Promise.reject(new TypeError('Failed to fetch'));
    return Promise.resolve(`sig=c2ln${asked}`);
  };
  const fetch: Cloud['fetch'] = (url, init) => {
    const request = new Request(url, init as RequestInit);
    return intercept(request, () => cloud.fetch(url, init) as Promise<Response>);
  };
  const sync = syncTables(account, { remote: { url: URL, fetch, sas }, tables: { Todos: {} } });
  await todos.createEntity(row('1'));
  await rejection(sync.once());
  expect(sync.status).toMatchObject({ state: 'offline', pending: 1 });
  await todos.deleteEntity('p', '1');

  await sync.once();

  expect(pushes).toHaveLength(1);
  expect(sync.status).toMatchObject({ state: 'idle', pending: 0 });
});
