import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { ByteBudget, type Share } from '../../../../js/src/server/http/byte-budget.js';

const LONG = 1_000;

describe('a budget of bytes', () => {
  it('admits a request that fits at once, and the others in their order', async () => {
    const budget = new ByteBudget(10);
    const first = budget.take(6, LONG) as Share;
    const order: string[] = [];
    const take = async (name: string, bytes: number) => {
      const share = await budget.take(bytes, LONG);
      order.push(name);
      return share!;
    };
    const large = take('large', 5);
    const small = take('small', 1);
    await Promise.resolve();
    expect(order).toEqual([]);

    first.release();
    first.release();

    await Promise.all([large, small]);
    expect(order).toEqual(['large', 'small']);
  });

  it('admits more requests if a share becomes smaller, and fewer if it becomes larger', async () => {
    const budget = new ByteBudget(10);
    const first = budget.take(10, LONG) as Share;
    const second = budget.take(6, LONG);
    first.resize(4);
    const share = (await second)!;
    share.resize(20);
    let isIn = false;
    const third = Promise.resolve(budget.take(1, LONG)).then(() => (isIn = true));
    first.release();
    await Promise.resolve();
    expect(isIn).toBe(false);

    share.release();

    await third;
  });

  it('admits a request that is larger than the whole budget, alone', async () => {
    const budget = new ByteBudget(10);
    const large = budget.take(11, LONG) as Share;
    const next = budget.take(11, LONG);

    large.release();

    expect(await next).toBeDefined();
  });

  it('admits a request of no bytes at once, before all that wait', () => {
    const budget = new ByteBudget(10);
    const first = budget.take(9, LONG) as Share;
    const second = budget.take(9, LONG);

    expect(budget.take(0, LONG)).not.toBeInstanceOf(Promise);
    first.release();
    return second;
  });

  it('refuses a request that waits for too long, and admits the next one', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const budget = new ByteBudget(10);
    const first = budget.take(9, LONG) as Share;
    const large = budget.take(5, 10);
    const small = budget.take(1, LONG);

    vi.advanceTimersByTime(10);

    expect(await large).toBeUndefined();
    expect(await small).toBeDefined();
    first.release();
  });
});
