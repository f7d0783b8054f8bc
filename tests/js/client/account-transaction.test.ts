// Transactions over any tables and partitions of an account.

import { describe, expect, it } from 'vitest';

import { count } from '../../../js/src/entity/aggregates.js';

import { ann, bob, openBank, type Tx } from '../support/bank.js';
import { openForTest } from '../support/accounts.js';
import { rejection } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';

describe('a transaction', () => {
  it('stores its writes in any tables and partitions', async () => {
    const { account, inTransaction, balanceOf } = await openBank();

    const amount = await inTransaction(async (tx) => {
      const from = await tx.accounts.get(ann);
      const to = await tx.accounts.get(bob);
      await tx.accounts.update(ann, { balance: from!.balance - 10 });
      await tx.accounts.update(bob, { balance: to!.balance + 10 });
      const made = await tx.moves.insert({ partitionKey: 'm', rowKey: '1', amount: 10 });
      return made.amount;
    });

    expect(amount).toBe(10);
    expect(await balanceOf(ann)).toBe(90);
    expect(await balanceOf(bob)).toBe(60);
    const [move] = await account.tables.moves.list();
    expect(move).toMatchObject({ partitionKey: 'm', rowKey: '1', amount: 10 });
  });

  it('stores nothing if the function fails, or a write', async () => {
    const { account, inTransaction, balanceOf } = await openBank();

    const reason = new Error('no');
    const failing = inTransaction(async (tx) => {
      await tx.accounts.update(ann, { balance: 1 });
      throw reason;
    });
    await expect(failing).rejects.toBe(reason);
    const error = await rejection(
      inTransaction(async (tx) => {
        await tx.moves.insert({ partitionKey: 'm', rowKey: '1' });
        await tx.accounts.update({ partitionKey: 'a', rowKey: 'eve' }, { balance: 1 });
      }),
    );

    expect(error).toMatchObject({ code: 'ResourceNotFound', details: { rowKey: 'eve' } });
    expect(await balanceOf(ann)).toBe(100);
    expect(await account.tables.moves.count()).toBe(0);
  });

  it('goes on after a write that was refused', async () => {
    const { inTransaction, balanceOf } = await openBank();

    await inTransaction(async (tx) => {
      const error = await rejection(tx.accounts.insert({ ...ann, balance: 0 }));
      expect(error).toMatchObject({ code: 'EntityAlreadyExists' });
      const wrong = await rejection(tx.accounts.put({ ...ann, balance: 0.5 }));
      expect(wrong).toMatchObject({ code: 'SchemaViolation' });
      await tx.accounts.update(bob, { balance: 7 });
    });

    expect(await balanceOf(ann)).toBe(100);
    expect(await balanceOf(bob)).toBe(7);
  });

  it('stores nothing if a write is refused that it does not await', async () => {
    const { inTransaction, balanceOf } = await openBank();

    for (const isLast of [false, true]) {
      const failing = inTransaction(async (tx) => {
        if (isLast) await tx.accounts.update(bob, { balance: 7 });
        void tx.accounts.update(ann, { balance: 0.5 });
        if (!isLast) await tx.accounts.update(bob, { balance: 7 });
      });
      expect(await rejection(failing)).toMatchObject({ code: 'SchemaViolation' });
    }

    expect(await balanceOf(bob)).toBe(50);
  });

  it('stores a write that it does not await', async () => {
    const { inTransaction, balanceOf } = await openBank();

    await inTransaction((tx) => {
      void tx.accounts.update(ann, ({ balance }) => ({ balance: balance - 10 }));
    });

    expect(await balanceOf(ann)).toBe(90);
  });

  it('reads what it has written', async () => {
    const { account, inTransaction } = await openBank();

    await inTransaction(async (tx) => {
      const eve = await tx.accounts.insert({ partitionKey: 'a', rowKey: 'eve', balance: 70 });
      expect(eve).toMatchObject({ partitionKey: 'a', rowKey: 'eve', balance: 70 });
      await tx.accounts.update(ann, (row) => ({ balance: row.balance - 80, owner: 'Ann' }));
      await tx.accounts.delete(bob);
      await tx.moves.upsert({ partitionKey: 'm', rowKey: '1' });

      expect(await tx.accounts.get(ann)).toMatchObject({ ...ann, balance: 20, owner: 'Ann' });
      expect(await tx.accounts.get(bob)).toBeUndefined();
      expect((await tx.moves.get({ partitionKey: 'm', rowKey: '1' }))?.amount).toBe(1);
      const names = async (options: Parameters<typeof tx.accounts.list>[0]) =>
        (await tx.accounts.list(options)).map(({ rowKey }) => rowKey);
      expect(await names({})).toEqual(['ann', 'eve']);
      expect(await names({ where: 'balance gt 50' })).toEqual(['eve']);
      expect(await names({ orderBy: ['balance desc'], limit: 1 })).toEqual(['eve']);
      const both = await tx.accounts.getMany([bob, ann]);
      expect(both.map((row) => row?.balance)).toEqual([undefined, 20]);
      await tx.accounts.put({ ...ann, balance: 21 });
      expect(await tx.accounts.get(ann)).toMatchObject({ ...ann, balance: 21 });
    });

    expect(await account.tables.accounts.count()).toBe(2);
  });

  it('takes a row as it was read for a condition', async () => {
    const { table, inTransaction, balanceOf } = await openBank();
    const old = await table.get(ann);
    await table.update(ann, { balance: 5 });

    const error = await rejection(
      inTransaction((tx) => tx.accounts.update(ann, { balance: 6 }, { ifUnchanged: old })),
    );
    expect(error).toMatchObject({ code: 'UpdateConditionNotSatisfied' });
    await inTransaction(async (tx) => {
      await tx.accounts.delete(ann, { ifUnchanged: await tx.accounts.get(ann) });
    });

    expect(await balanceOf(ann)).toBeUndefined();
  });

  it('finds nothing if no key fits its filter', async () => {
    const { inTransaction, balanceOf } = await openBank();

    const found = await inTransaction(async (tx) => {
      await tx.accounts.update(bob, { balance: 1 });
      return await tx.accounts.list({ where: ({ partitionKey }) => partitionKey.in([]) });
    });

    expect(found).toEqual([]);
    expect(await balanceOf(bob)).toBe(1);
  });

  it('may write a row several times, as it was read for a condition, too', async () => {
    const { inTransaction, balanceOf } = await openBank();

    await inTransaction(async (tx) => {
      await tx.accounts.update(ann, { balance: 1 });
      await tx.accounts.update(ann, ({ balance }) => ({ balance: balance + 1 }));
      const row = await tx.accounts.get(ann);
      await tx.accounts.update(ann, { balance: row!.balance + 1 }, { ifUnchanged: row! });
    });

    expect(await balanceOf(ann)).toBe(3);
  });

  it('reads and writes rows alone', async () => {
    const { account, inTransaction } = await openBank();

    const within = (work: (tx: typeof account.tables) => unknown) =>
      rejection(inTransaction(async (tx) => await work(tx as typeof account.tables)));
    for (const work of [
      (tx: typeof account.tables) => tx.accounts.count(),
      (tx: typeof account.tables) => tx.accounts.live(),
      (tx: typeof account.tables) => tx.accounts.aggregate({ select: { n: count() } }),
    ]) {
      expect(await within(work)).toMatchObject({ code: 'InvalidInput' });
    }
    expect(await account.tables.accounts.count()).toBe(2);
  });

  it('needs the tables of the account', async () => {
    const account = await openForTest({ storage: STORAGES[0]!.open() });

    expect(await rejection(account.transaction(() => 1))).toMatchObject({ code: 'InvalidInput' });
    const { account: bank } = await openBank();
    expect(await rejection(bank.transaction(5 as never))).toMatchObject({ code: 'InvalidInput' });
  });

  it('cannot be used after its end', async () => {
    const { inTransaction, balanceOf } = await openBank();
    let kept: Tx | undefined;
    await inTransaction((tx) => {
      kept = tx;
    });

    await expect(kept!.accounts.get(ann)).rejects.toMatchObject({ code: 'InvalidInput' });
    await expect(kept!.accounts.update(ann, { balance: 1 })).rejects.toMatchObject({
      code: 'InvalidInput',
    });
    expect(await balanceOf(ann)).toBe(100);
  });

  it('fails if it has looked for a table that is not there', async () => {
    const { account, inTransaction, balanceOf } = await openBank();
    await account.deleteTable('Moves');

    const error = await rejection(
      inTransaction(async (tx) => {
        await tx.moves.list().catch(() => []);
        await tx.accounts.update(ann, { balance: 1 });
      }),
    );

    expect(error).toMatchObject({ code: 'TableNotFound' });
    expect(await balanceOf(ann)).toBe(100);
  });

  it('takes its arguments as they are at the call', async () => {
    const { inTransaction, balanceOf } = await openBank();

    await inTransaction(async (tx) => {
      const key = { ...ann };
      const changes = { balance: 3 };
      const writing = tx.accounts.update(key, changes);
      key.rowKey = 'eve';
      changes.balance = 4;
      await writing;
    });

    expect(await balanceOf(ann)).toBe(3);
  });

  it('may await anything, and be withdrawn', async () => {
    const { account, inTransaction, balanceOf } = await openBank();
    await inTransaction(async (tx) => {
      await tx.accounts.update(ann, { balance: 3 });
      await new Promise((resolve) => setTimeout(resolve));
      await tx.accounts.update(bob, { balance: 4 });
    });
    expect([await balanceOf(ann), await balanceOf(bob)]).toEqual([3, 4]);

    const controller = new AbortController();
    const withdrawn = account.transaction(
      async (tx) => {
        await tx.accounts.update(ann, { balance: 5 });
        controller.abort(new Error('enough'));
      },
      { signal: controller.signal },
    );

    await expect(withdrawn).rejects.toThrow('enough');
    expect(await balanceOf(ann)).toBe(3);
  });

  it('stores 4 MiB, and says what is too much', async () => {
    const { account, inTransaction } = await openBank();
    const owner = 'x'.repeat(30_000);
    const write = (rows: number) =>
      inTransaction(async (tx) => {
        for (let i = 0; i < rows; i++) {
          await tx.accounts.put({ partitionKey: 'many', rowKey: `${i}`, balance: i, owner });
        }
      });

    await write(140);
    expect(await account.tables.accounts.count()).toBe(142);
    const error = await rejection(write(290));

    expect(error).toMatchObject({ code: 'RequestBodyTooLarge' });
    expect(error).toHaveProperty('message', expect.stringContaining('Use several transactions.'));
  });

  // Their keys are more than the core goes through for each read.
  it('reads very many rows', async () => {
    const { table, inTransaction, balanceOf } = await openBank();
    const keyOf = (i: number) => ({ partitionKey: 'p'.repeat(400), rowKey: `${i}` });
    let runs = 0;

    await inTransaction(async (tx) => {
      runs++;
      for (let i = 0; i < 600; i++) await tx.accounts.get(keyOf(i));
      if (runs === 1) await table.insert({ ...keyOf(3), balance: 1 });
      await tx.accounts.update(ann, { balance: runs });
    });

    expect(runs).toBe(2);
    expect(await balanceOf(ann)).toBe(2);
  });

  it('lists more rows than a page has, and its own among them', async () => {
    const { table, inTransaction } = await openBank();
    await table.insertMany(
      Array.from({ length: 2500 }, (_, i) => ({
        partitionKey: 'p',
        rowKey: String(i).padStart(5, '0'),
        balance: i,
      })),
    );

    await inTransaction(async (tx) => {
      await tx.accounts.delete({ partitionKey: 'p', rowKey: '01500' });
      await tx.accounts.insert({ partitionKey: 'p', rowKey: '01500a', balance: 2 });
      await tx.accounts.update({ partitionKey: 'p', rowKey: '02400' }, { balance: -1 });
      const rows = await tx.accounts.list({ where: "partitionKey eq 'p' and balance ge 0" });
      expect(rows).toHaveLength(2499);
      expect(rows[1500]).toMatchObject({ partitionKey: 'p', rowKey: '01500a', balance: 2 });
    });
  });
});
