// What a commit answers if the database fails, or answers late.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { denoKvStorage } from '../../../../js/src/storage/deno-kv.js';
import type { Batch, StorageKey } from '../../../../js/src/storage/page-storage.js';
import { isFirstNumber, KvDouble, type AtomicCall } from '../../support/deno-kv/double.js';

const put = (key: StorageKey, value: number): Batch => ({
  expect: [],
  puts: [[key, Uint8Array.of(value)]],
  deletes: [],
});

const record = (number: number, value: number): Batch => ({
  ...put(`log/${number}`, value),
  expect: [[`log/${number}`, undefined]],
});

let kv: KvDouble;
beforeEach(() => {
  kv = new KvDouble();
});

/** Answers the next commits of batches in place of the database. */
function answerOnce(...answers: NonNullable<KvDouble['onCommit']>[]): void {
  kv.onCommit = (call) => {
    if (isFirstNumber(call)) return call.apply();
    const answer = answers.shift();
    if (answers.length === 0) kv.onCommit = undefined;
    return answer!(call);
  };
}

const open = () => denoKvStorage(kv, 'a');
const valueOf = async (key: StorageKey) => (await open().read({ keys: [key] })).values[0]?.[0];

const lost = new Error('the answer is lost');
const locked = new TypeError('database is locked');

describe('a commit', () => {
  it('is unknown if its answer is lost', async () => {
    const storage = open();
    answerOnce(({ apply }) => (apply(), Promise.reject(lost)));

    expect(await storage.commit(record(1, 5))).toEqual({ outcome: 'unknown', cause: lost });
    expect(await valueOf('log/1')).toBe(5);
    expect(await storage.commit(record(1, 6))).toEqual({ outcome: 'moved' });
    expect(await storage.commit(record(2, 6))).toEqual({ outcome: 'ok' });
  });

  it('is unknown if it may arrive later', async () => {
    const storage = open();
    let late: AtomicCall | undefined;
    answerOnce((call) => ((late = call), Promise.reject(lost)));

    expect(await storage.commit(record(1, 5))).toEqual({ outcome: 'unknown', cause: lost });
    expect(await valueOf('log/1')).toBeUndefined();
    expect(late!.apply()).toHaveProperty('ok', true);
    expect(await valueOf('log/1')).toBe(5);
  });

  it('is stored if the database lost its first answer and repeats it', async () => {
    const storage = open();
    answerOnce(({ apply }) => (apply(), apply()));

    expect(await storage.commit(record(1, 5))).toEqual({ outcome: 'ok' });
    expect(await storage.commit(record(2, 6))).toEqual({ outcome: 'ok' });
    expect(await valueOf('log/1')).toBe(5);
  });

  it('is stored once if another one comes before the repetition', async () => {
    const storage = open();
    answerOnce(async ({ apply }) => {
      apply();
      await open().commit(put('log/base', 6));
      return apply();
    });

    expect(await storage.commit(put('log/base', 5))).toEqual({ outcome: 'ok' });
    expect(await valueOf('log/base')).toBe(6);
  });

  it('is unknown if it is not known whether the failed check was a repetition', async () => {
    const storage = open();
    const { getMany } = kv;
    answerOnce(({ apply }) => {
      kv.getMany = () => Promise.reject(lost);
      return (apply(), apply());
    });

    expect(await storage.commit(record(1, 5))).toEqual({ outcome: 'unknown', cause: lost });
    kv.getMany = getMany;
    expect(await valueOf('log/1')).toBe(5);
  });

  it('is tried again if a check fails though all expected values are there', async () => {
    const storage = open();
    answerOnce(() => ({ ok: false }));

    expect(await storage.commit(record(1, 5))).toEqual({ outcome: 'ok' });
    expect(await valueOf('log/1')).toBe(5);
  });

  it('has moved if another account was faster', async () => {
    const storage = open();
    answerOnce(async ({ apply }) => {
      await open().commit(record(1, 6));
      return apply();
    });

    expect(await storage.commit(record(1, 5))).toEqual({ outcome: 'moved' });
    expect(await valueOf('log/1')).toBe(6);
  });

  it('compares an expected value again that was stored again', async () => {
    const storage = open();
    await storage.commit(put('log/base', 1));
    const after = (number: number): Batch => ({
      ...record(number, 9),
      expect: [['log/base', Uint8Array.of(1)]],
    });
    expect(await storage.commit(after(1))).toEqual({ outcome: 'ok' });

    await open().commit(put('log/base', 1));
    expect(await storage.commit(after(2))).toEqual({ outcome: 'ok' });
    await open().commit(put('log/base', 2));
    expect(await storage.commit(after(3))).toEqual({ outcome: 'moved' });
  });

  it('waits while another process writes to the file', async () => {
    const storage = open();
    const isLocked = () => Promise.reject(locked);
    answerOnce(isLocked, isLocked, ({ apply }) => apply());

    expect(await storage.commit(record(1, 5))).toEqual({ outcome: 'ok' });
    expect(await valueOf('log/1')).toBe(5);
  });

  it('says quota if the disk is full', async () => {
    const cause = new TypeError('database or disk is full');
    answerOnce(() => Promise.reject(cause));

    expect(await open().commit(record(1, 5))).toEqual({ outcome: 'quota', cause });
    expect(await valueOf('log/1')).toBeUndefined();
  });

  it('is refused if the database is closed', async () => {
    const cause = Object.assign(new Error('Bad resource ID'), { name: 'BadResource' });
    const storage = open();
    await storage.commit(record(1, 5));
    answerOnce(() => Promise.reject(cause));

    expect(await storage.commit(record(2, 5))).toEqual({ outcome: 'refused', cause });
  });

  it('is refused if nothing can be read before it', async () => {
    kv.getMany = () => Promise.reject(lost);
    const batch: Batch = { ...put('log/1', 5), expect: [['log/base', Uint8Array.of(1)]] };

    expect(await open().commit(batch)).toEqual({ outcome: 'refused', cause: lost });
  });

  it('goes on when the number of its last commit has expired', async () => {
    const storage = open();
    await storage.commit(record(1, 5));
    kv.now += 2 * 86_400_000;

    expect(await storage.commit(record(2, 6))).toEqual({ outcome: 'ok' });
  });
});

describe('the first number of a writer', () => {
  const answersFirst = (answer: NonNullable<KvDouble['onCommit']>) => {
    kv.onCommit = (call) => {
      expect(isFirstNumber(call)).toBe(true);
      kv.onCommit = undefined;
      return answer(call);
    };
  };

  it('may be lost: then nothing of the batch is stored', async () => {
    answersFirst(() => Promise.reject(lost));
    const storage = open();

    expect(await storage.commit(record(1, 5))).toEqual({ outcome: 'refused', cause: lost });
    expect(await valueOf('log/1')).toBeUndefined();
    expect(await storage.commit(record(1, 6))).toEqual({ outcome: 'ok' });
    expect(await valueOf('log/1')).toBe(6);
  });

  it('may be there already, because its answer was lost', async () => {
    answersFirst(({ apply }) => (apply(), apply()));

    expect(await open().commit(record(1, 5))).toEqual({ outcome: 'ok' });
    expect(await valueOf('log/1')).toBe(5);
  });

  it('does not fit on a full disk', async () => {
    const cause = new TypeError('database or disk is full');
    answersFirst(() => Promise.reject(cause));

    expect(await open().commit(record(1, 5))).toEqual({ outcome: 'quota', cause });
  });
});

describe('a closed storage', () => {
  const writers = () => kv.keys.filter(([, , group]) => group === 'writers');

  it('leaves no number behind', async () => {
    for (let at = 1; at <= 3; at++) {
      const storage = open();
      await storage.commit(record(at, 5));
      expect(writers()).toHaveLength(1);
      await storage.close();
    }

    expect(writers()).toEqual([]);
  });

  it('stores no commit that arrives later', async () => {
    const storage = open();
    let late: AtomicCall | undefined;
    answerOnce((call) => ((late = call), Promise.reject(lost)));
    await storage.commit(record(1, 5));
    await storage.close();

    expect(late!.apply()).toEqual({ ok: false });
    expect(await valueOf('log/1')).toBeUndefined();
  });

  it('stores its first commit no second time', async () => {
    const storage = open();
    let first: AtomicCall | undefined;
    answerOnce((call) => ((first = call), call.apply()));
    await storage.commit(record(1, 5));
    await storage.close();
    await open().commit({ expect: [], puts: [], deletes: ['log/1'] });

    expect(first!.apply()).toEqual({ ok: false });
    expect(await valueOf('log/1')).toBeUndefined();
  });

  it('closes although its number cannot be removed', async () => {
    const storage = open();
    await storage.commit(record(1, 5));
    answerOnce(() => Promise.reject(lost));

    await storage.close();
    expect(writers()).toHaveLength(1);
    kv.now += 3_600_001;
    expect(writers()).toEqual([]);
  });

  it('waits a second at most for a database that does not answer', async () => {
    vi.useFakeTimers();
    try {
      const storage = open();
      await storage.commit(record(1, 5));
      kv.onCommit = () => new Promise(() => {});
      const closed = storage.close();
      await vi.advanceTimersByTimeAsync(1_000);

      await closed;
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the keys of a store', () => {
  it('are listed when another process has written to the file', async () => {
    const storage = open();
    await storage.commit(record(1, 5));
    const list = kv.list.bind(kv);
    kv.list = () => {
      kv.list = list;
      throw locked;
    };

    expect(await storage.list!()).toEqual(['log/1']);
  });

  it('are listed by several calls', async () => {
    const keys = Array.from({ length: 1100 }, (_, at): StorageKey => `pages/${at + 1}`);
    for (const part of [keys.slice(0, 500), keys.slice(500, 1000), keys.slice(1000)]) {
      const puts = part.map((key) => [key, Uint8Array.of(1)] as const);
      await open().commit({ expect: [], puts, deletes: [] });
    }

    expect([...(await open().list!())].sort()).toEqual([...keys].sort());
  });
});

describe('a file that stays locked', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is refused after ten seconds', async () => {
    kv.onCommit = () => Promise.reject(locked);
    const committed = open().commit(record(1, 5));
    await vi.advanceTimersByTimeAsync(9_000);
    let isOver = false;
    void committed.then(() => (isOver = true));
    await Promise.resolve();
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1_100);

    expect(await committed).toEqual({ outcome: 'refused', cause: locked });
  });

  it('cannot be read after ten seconds', async () => {
    kv.list = () => {
      throw locked;
    };
    const read = open().read({ keys: ['log/1'] });
    const rejected = expect(read).rejects.toBe(locked);
    await vi.advanceTimersByTimeAsync(10_100);

    await rejected;
  });
});
