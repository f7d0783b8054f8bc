// Transactions of which somebody else has changed what they have read.

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { MOST_REPETITIONS } from '../../../js/src/transactions/run-transaction.js';
import { ann, bob, openAnother, openBank } from '../support/bank.js';
import { randomNumbers, testSeed } from '../support/random-numbers.js';
import { rejection } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';

describe('a transaction', () => {
  it('runs again if somebody has changed what it has read', async () => {
    const { storage, inTransaction, balanceOf } = await openBank();
    const other = (await openAnother(storage)).tables.accounts;
    const seen: (number | undefined)[] = [];

    await inTransaction(async (tx) => {
      const row = await tx.accounts.get(ann);
      seen.push(row?.balance);
      if (seen.length === 1) await other.update(ann, { balance: 1000 });
      await tx.accounts.update(bob, { balance: row!.balance + 1 });
    });

    expect(seen).toEqual([100, 1000]);
    expect(await balanceOf(bob)).toBe(1001);
  });

  it('runs again if a row appears in what it has listed', async () => {
    const { table, inTransaction } = await openBank();
    const seen: number[] = [];

    await inTransaction(async (tx) => {
      const rows = await tx.accounts.list({ where: ({ partitionKey }) => partitionKey.eq('a') });
      seen.push(rows.length);
      if (seen.length === 1) {
        await table.insert({ partitionKey: 'a', rowKey: 'eve', balance: 1 });
        // What it has not read is no matter.
        await table.insert({ partitionKey: 'z', rowKey: 'eve', balance: 1 });
      }
      await tx.moves.put({ partitionKey: 'm', rowKey: 'sum', amount: rows.length });
    });

    expect(seen).toEqual([1, 2]);
  });

  it('sees all rows at one moment', async () => {
    const { table, inTransaction } = await openBank();
    let runs = 0;

    const sum = await inTransaction(async (tx) => {
      runs++;
      const first = await tx.accounts.get(ann);
      if (runs === 1) {
        await table.update(ann, { balance: 90 });
        await table.update(bob, { balance: 60 });
      }
      const second = await tx.accounts.get(bob);
      return first!.balance + second!.balance;
    });

    expect(sum).toBe(150);
    expect(runs).toBe(2);
  });

  it('runs again even if the function has swallowed the reason', async () => {
    const { table, inTransaction, balanceOf } = await openBank();
    let runs = 0;

    await inTransaction(async (tx) => {
      runs++;
      const row = await tx.accounts.get(ann);
      if (runs === 1) await table.update(ann, { balance: 90 });
      await tx.accounts.get(bob).catch(() => undefined);
      await tx.accounts.update(bob, { balance: row!.balance }).catch(() => undefined);
    });

    expect(runs).toBe(2);
    expect(await balanceOf(bob)).toBe(90);
  });

  it('gives up after some repetitions', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const { table, inTransaction, balanceOf } = await openBank();
    let runs = 0;

    const error = await rejection(
      inTransaction(async (tx) => {
        const row = await tx.accounts.get(ann);
        await table.update(ann, { balance: ++runs });
        await tx.accounts.update(bob, { balance: row!.balance });
      }),
    );

    expect(error).toMatchObject({ code: 'TransactionConflict', statusCode: 409 });
    expect(error).toHaveProperty('message', expect.stringContaining('20 times'));
    const hint = 'by other tables than those of its argument';
    expect(error).toHaveProperty('message', expect.stringContaining(hint));
    expect(runs).toBe(1 + MOST_REPETITIONS);
    expect(await balanceOf(bob)).toBe(50);
  });
});

describe.each(STORAGES)('transactions of several accounts on one $adapter storage', ({ open }) => {
  it('lose no increment', async () => {
    const { account, storage } = await openBank(open());
    const openers = [account, await openAnother(storage), await openAnother(storage)];
    openers.push(await openAnother(storage));

    await Promise.all(
      openers.map(async (opener) => {
        for (let i = 0; i < 10; i++) {
          await opener.transaction(async (tx) => {
            const row = await tx.accounts.get(ann);
            await tx.accounts.update(ann, { balance: row!.balance + 1 });
          });
        }
      }),
    );

    const accounts = account.tableClient('Accounts');
    const newest = await accounts.getEntity(ann.partitionKey, ann.rowKey, { fresh: true });
    expect(newest['balance']).toBe(100 + openers.length * 10);
  });

  const seed = testSeed();

  it(`never see or leave another sum (ENTITABLE_SEED=${seed})`, async () => {
    const { account, storage } = await openBank(open());
    const others = [await openAnother(storage), await openAnother(storage)];
    const openers = [account, ...others];
    const keys = [ann, bob];
    for (let i = 0; i < 4; i++) keys.push({ partitionKey: 'c', rowKey: `${i}` });
    const below = randomNumbers(seed);

    const work = async (opener: typeof account) => {
      for (let i = 0; i < 12; i++) {
        await opener.transaction(async (tx) => {
          const from = keys[below(keys.length)]!;
          const to = keys[below(keys.length)]!;
          const amount = below(20);
          const source = await tx.accounts.get(from);
          if (!source || source.balance < amount) return;
          await tx.accounts.update(from, { balance: source.balance - amount });
          const target = (await tx.accounts.get(to)) ?? { balance: 0 };
          await tx.accounts.upsert({ ...to, balance: target.balance + amount });
          const rows = await tx.accounts.list({ where: 'balance gt 0' });
          expect(rows.reduce((sum, { balance }) => sum + balance, 0)).toBe(150);
        });
      }
    };
    await Promise.all(openers.map(work));

    const rows = await others[0]!.transaction((tx) => tx.accounts.list());
    expect(rows.reduce((sum, { balance }) => sum + balance, 0)).toBe(150);
  });
});
