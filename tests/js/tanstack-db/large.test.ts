import { BasicIndex, count, createCollection, eq, gte, and, lt } from '@tanstack/db';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import { openAccount } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { Batch } from '../../../js/src/storage/page-storage.js';
import { tableCollectionOptions } from '../../../js/src/tanstack-db.js';
import { openForTest } from '../support/accounts.js';
import { collectionOf, live, readsOf } from './support.js';

interface Order {
  customer: string;
  total: number;
  state: 'open' | 'sent';
}

interface Customer {
  name: string;
}

const PARTITIONS = 100;
const IN_EACH = 1000;

const digits = (value: number, length: number) => `${value}`.padStart(length, '0');

function* allOrders() {
  for (let p = 0; p < PARTITIONS; p++) {
    for (let i = 0; i < IN_EACH; i++) {
      yield {
        ...{ partitionKey: `day-${digits(p, 3)}`, rowKey: digits(i, 4) },
        ...{ customer: `c${(p * 7 + i) % 500}`, total: i / 2 },
        state: i % 250 === 0 ? ('open' as const) : ('sent' as const),
      };
    }
  }
}

const allCustomers = Array.from({ length: 500 }, (_, i) => ({
  ...{ partitionKey: 'all', rowKey: `c${i}`, name: `Customer ${i}` },
}));

// The rows are imported once, and each test has a copy of what is stored then.
let stored: Batch;

beforeAll(async () => {
  const storage = memoryStorage();
  const account = await openAccount({ storage });
  await account.createTable('Orders');
  await account.createTable('Customers');
  await account.tableClient<Order>('Orders').importEntities(allOrders());
  await account.tableClient<Customer>('Customers').importEntities(allCustomers);
  await account.close();
  const keys = await storage.list!();
  const { values } = await storage.read({ keys });
  stored = { expect: [], puts: keys.map((key, at) => [key, values[at]!]), deletes: [] };
}, 30_000);

let orders: TableClient<Order>;
let customers: TableClient<Customer>;

beforeEach(async () => {
  const storage = memoryStorage();
  await storage.commit(stored);
  const account = await openForTest({ storage });
  orders = account.tableClient<Order>('Orders');
  customers = account.tableClient<Customer>('Customers');
});

/** With an index on both keys, so that TanStack DB asks for the first rows alone. */
function indexed<Row extends object>(table: TableClient<Row>) {
  const collection = createCollection(
    tableCollectionOptions<Row>({ table, autoIndex: 'eager', defaultIndexType: BasicIndex }),
  );
  onTestFinished(() => collection.cleanup());
  return collection;
}

describe('queries over 100,000 rows', () => {
  it('load only what a condition selects', async () => {
    const reads = readsOf(orders);
    const all = collectionOf(orders);
    const open = await live((q) => q.from({ all }).where(({ all }) => eq(all.state, 'open')));
    expect([open.size, reads()]).toEqual([400, 400]);

    const range = await live((q) =>
      q
        .from({ all })
        .where(({ all }) =>
          and(eq(all.partitionKey, 'day-042'), gte(all.rowKey, '0100'), lt(all.rowKey, '0110')),
        ),
    );
    expect([range.size, reads(), all.size]).toEqual([10, 410, 410]);
  }, 20_000);

  it('join two tables, and load only the rows of the second table that match', async () => {
    const [orderReads, customerReads] = [readsOf(orders), readsOf(customers)];
    const [all, people] = [indexed(orders), indexed(customers)];
    const joined = await live((q) =>
      q
        .from({ all })
        .where(({ all }) => and(eq(all.partitionKey, 'day-001'), eq(all.state, 'open')))
        .join({ people }, ({ all, people }) => eq(all.customer, people.rowKey), 'left')
        .select(({ all, people }) => ({ row: all.rowKey, name: people?.name })),
    );
    const shown = () => joined.toArray.map(({ row, name }) => `${row} ${name}`).sort();

    expect(shown()).toEqual([
      ...['0000 Customer 7', '0250 Customer 257', '0500 Customer 7', '0750 Customer 257'],
    ]);
    expect(orderReads()).toBe(4);
    expect(customerReads()).toBe(2);

    await customers.updateEntity({ partitionKey: 'all', rowKey: 'c7', name: 'Ann' });
    await vi.waitFor(() => expect(shown()[0]).toBe('0000 Ann'));
    await all
      .insert({
        ...{ partitionKey: 'day-001', rowKey: '1000', customer: 'c9', total: 1, state: 'open' },
      })
      .when('settled');
    await vi.waitFor(() => expect(shown().at(-1)).toBe('1000 Customer 9'));
  }, 20_000);

  it('group what they select', async () => {
    const reads = readsOf(orders);
    const all = collectionOf(orders);
    const days = await live((q) =>
      q
        .from({ all })
        .where(({ all }) => eq(all.state, 'open'))
        .groupBy(({ all }) => all.partitionKey)
        .select(({ all }) => ({ day: all.partitionKey, orders: count(all.rowKey) })),
    );

    expect(days.size).toBe(PARTITIONS);
    expect(new Set(days.toArray.map((day) => day.orders))).toEqual(new Set([4]));
    expect(reads()).toBe(400);
  }, 20_000);

  it('load the first rows of a partition in the order of their keys, page after page', async () => {
    const reads = readsOf(orders);
    const all = indexed(orders);
    const page = await live((q) =>
      q
        .from({ all })
        .where(({ all }) => eq(all.partitionKey, 'day-042'))
        .orderBy(({ all }) => all.rowKey)
        .limit(10),
    );
    const shown = () => page.toArray.map(({ rowKey }) => rowKey);
    expect(shown()).toEqual(Array.from({ length: 10 }, (_, i) => digits(i, 4)));
    expect(reads()).toBeLessThan(40);

    await page.utils.setWindow({ offset: 10, limit: 10 });
    expect(shown()).toEqual(Array.from({ length: 10 }, (_, i) => digits(i + 10, 4)));
    expect(reads()).toBeLessThan(100);

    // The one before the page goes, and the one behind it comes in.
    await orders.deleteEntity('day-042', '0003');
    await vi.waitFor(() => expect(shown().at(-1)).toBe('0020'));
    await orders.createEntity({
      ...{ partitionKey: 'day-042', rowKey: '0010a', customer: 'c1', total: 1, state: 'open' },
    });
    await vi.waitFor(() => expect(shown()[0]).toBe('0010a'));
    expect(reads()).toBeLessThan(200);
  }, 20_000);

  it('load the first partitions whole, and all rows for another order', async () => {
    const reads = readsOf(orders);
    const all = indexed(orders);
    const first = await live((q) =>
      q
        .from({ all })
        .orderBy(({ all }) => all.partitionKey)
        .orderBy(({ all }) => all.total, 'desc')
        .limit(2),
    );
    expect(first.toArray.map(({ rowKey }) => rowKey)).toEqual(['0999', '0998']);
    // The rest of the partition may come first in the order.
    expect(all.size).toBe(IN_EACH);
    expect(reads()).toBeLessThan(5 * IN_EACH);

    const dearest = await live((q) =>
      q
        .from({ all })
        .where(({ all }) => eq(all.state, 'open'))
        .orderBy(({ all }) => all.total, 'desc')
        .limit(3),
    );
    expect(dearest.toArray.map(({ total }) => total)).toEqual([375, 375, 375]);
  }, 20_000);
});
