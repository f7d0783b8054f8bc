import { beforeEach, describe, expect, it } from 'vitest';

import { max } from '../../../js/src/index.js';
import { openTasks } from './tasks.js';

let table: Awaited<ReturnType<typeof openTasks>>['tables']['tasks'];

beforeEach(async () => {
  table = (await openTasks()).tables.tasks;
});

const ids = (n: number) => `01890a5d-ac96-774b-bcce-${String(n).padStart(12, '0')}`;

const rows = [
  { list: 'home', id: ids(1), title: 'Milk' },
  { list: 'home', id: ids(2), title: 'Bread' },
  { list: 'work', id: ids(1), title: 'Mail' },
];

describe('rows that are followed', () => {
  it('are a live result', async () => {
    await table.insertMany(rows);
    const live = table.live({ where: ({ list }) => list.eq('home'), select: ['title'] });
    const results = live[Symbol.asyncIterator]();
    const next = async () => (await results.next()).value as { title: string }[];

    const etag = expect.any(String) as string;
    const timestamp = expect.any(String) as string;
    expect(await next()).toEqual([
      { list: 'home', id: ids(1), title: 'Milk', etag, timestamp },
      { list: 'home', id: ids(2), title: 'Bread', etag, timestamp },
    ]);
    await table.insert({ list: 'home', id: ids(3), title: 'Tea' });
    expect((await next())[2]).toEqual({ list: 'home', id: ids(3), title: 'Tea', etag, timestamp });
    await table.delete({ list: 'home', id: ids(1) });
    expect((await next()).map(({ title }) => title)).toEqual(['Bread', 'Tea']);
    live.update({ where: "list eq 'work'" });
    expect((await next()).map(({ title }) => title)).toEqual(['Mail']);
    await results.return?.();
  });

  it('are counted and added up', async () => {
    await table.insertMany(rows);
    const number = table.liveCount({ where: ({ list }) => list.eq('home') });
    const groups = table.liveAggregate({ groupBy: ['list'], select: { last: max('id') } });
    const numbers = number[Symbol.asyncIterator]();
    const results = groups[Symbol.asyncIterator]();

    expect((await numbers.next()).value).toBe(2);
    expect((await results.next()).value).toEqual([
      { list: 'home', last: ids(2) },
      { list: 'work', last: ids(1) },
    ]);
    await table.delete(rows[0]!);
    expect((await numbers.next()).value).toBe(1);
    await Promise.all([numbers.return?.(), results.return?.()]);
  });

  it('are reported with their fields', async () => {
    const changes: object[] = [];
    let told!: () => void;
    const next = () => new Promise<void>((resolve) => (told = resolve));
    let change = next();
    const stop = table.subscribe({ select: ['title'] }, (one) => {
      changes.push(one);
      told();
    });
    await change;
    change = next();
    const { etag } = await table.insert(rows[0]!);
    await change;
    change = next();
    await table.delete(rows[0]!);
    await change;
    stop();

    expect(changes).toMatchObject([
      { reset: true },
      { inserted: [{ list: 'home', id: ids(1), title: 'Milk', etag }] },
      { deleted: [{ list: 'home', id: ids(1), etag }] },
    ]);
  });
});
