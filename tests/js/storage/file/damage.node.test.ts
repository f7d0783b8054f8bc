import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, vi } from 'vitest';

import { openAccount } from '../../../../js/src/index.js';
import { repair, verify } from '../../../../js/src/recovery.js';
import { fileStorage } from '../../../../js/src/storage/file.js';
import { roundsOf } from '../../../../scripts/test/tier.mjs';
import { openForTest } from '../../support/accounts.js';
import { freshFolder } from '../../support/file-storages.js';
import { DAMAGES, outcomeWith, storedStates } from '../../support/file/damage.js';
import { STORE_PATH } from '../../support/file/numbered-commits.js';
import { randomNumbers, testSeed } from '../../support/random-numbers.js';
import { tableError } from '../../support/rejection.js';

const ROUNDS = roundsOf('ENTITABLE_DAMAGE_ROUNDS', { usual: 22, whole: 66 });
const SEED = testSeed();

// Closed, or after the death of the process. What no store can find out after a power cut is in
// `docs/concepts/durability.md`.
it.each(['strict', 'relaxed'] as const)(
  `a store with %s durability whose file comes to harm has all that was acknowledged, or says that it has not (${ROUNDS} rounds, seed ${SEED})`,
  async (durability) => {
    const random = randomNumbers(SEED);
    const states = await storedStates(durability, random);
    const kinds = Object.keys(DAMAGES);
    const counts = new Map<string, number>();
    const silent: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const kind = kinds[round % kinds.length]!;
      // Half of them were closed.
      const state = random(2) ? states.at(-1)! : states[random(states.length)]!;
      const bytes = DAMAGES[kind]!(state.files.get(STORE_PATH)!, random);
      const outcome = await outcomeWith(state, bytes);
      const line = `${kind}, ${state.name === 'closed' ? 'closed' : 'crashed'}: ${outcome.replace(/\d+ /, '')}`;
      counts.set(line, (counts.get(line) ?? 0) + 1);
      if (outcome.startsWith('SILENT'))
        silent.push(`round ${round}, ${kind}, ${state.name}: ${outcome}`);
    }
    if (process.env.ENTITABLE_DAMAGE_ROUNDS) console.log([...counts].sort().join('\n'));
    expect(silent).toEqual([]);
  },
  60_000 + ROUNDS * 1_000,
);

it('damage of a value is reported with its place and its key', async () => {
  const folder = freshFolder();
  const account = await openAccount({ storage: fileStorage(folder) });
  await account.createTable('Pets');
  for (let number = 0; number < 5; number++) {
    await account.tableClient('Pets').createEntity({ partitionKey: 'p', rowKey: `${number}` });
  }
  await account.close();
  const path = join(folder, 'entitable.store');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0, bytes.length - 40));

  const opened = await openForTest({ storage: fileStorage(folder) });
  for (const call of [
    () => opened.tableClient('Pets').countEntities(),
    () => opened.tableClient('Pets').createEntity({ partitionKey: 'p', rowKey: 'new' }),
  ]) {
    const error = await tableError(call());
    expect(error.code).toBe('StorageDamaged');
    // The table and five entities.
    expect(error.details.storageKey).toBe('log/6');
    expect(error.message).toMatch(/ verify\(\) of "entitable\/recovery" .* repair\(\) /);
    expect(error.cause).toMatchObject({ name: 'FileDamage', path, offset: expect.any(Number) });
  }
});

describe('a file that cannot be read as a whole', () => {
  const PART = 5000;
  const keysOf = (row: number) => ({ partitionKey: 'p', rowKey: `${row}`.padStart(5, '0') });

  // Rows in three parts, and the size of the file after each of them.
  async function storedRows(): Promise<{ folder: string; path: string; sizes: number[] }> {
    const folder = freshFolder();
    const path = join(folder, 'entitable.store');
    const sizes = [];
    for (let part = 0; part < 3; part++) {
      const account = await openAccount({ storage: fileStorage(folder) });
      if (part === 0) await account.createTable('Pets');
      const rows = Array.from({ length: PART }, (_, at) => part * PART + at);
      await account
        .tableClient('Pets')
        .importEntities(rows.map((N) => ({ ...keysOf(N), N, Id: crypto.randomUUID() })));
      await account.close();
      sizes.push(readFileSync(path).length);
    }
    return { folder, path, sizes };
  }

  /** How many rows of each part are saved. */
  async function savedFrom(folder: string): Promise<number[]> {
    const { storage, findings } = await repair(fileStorage(folder));
    expect(findings[0]).toMatchObject({ kind: 'file', flaw: 'damaged', lossy: true });
    const account = await openAccount({ storage });
    const saved = [0, 0, 0];
    for await (const { rowKey, N } of account.tableClient('Pets').listEntities<{ N: number }>()) {
      expect(rowKey).toBe(keysOf(N).rowKey);
      saved[Math.floor(N / PART)]!++;
    }
    await account.close();
    return saved;
  }

  it('is repaired of what is intact before its cut, and nothing is written', async () => {
    const { folder, path, sizes } = await storedRows();
    const cut = readFileSync(path).subarray(0, (sizes[0]! + sizes[1]!) >> 1);
    writeFileSync(path, cut);

    const saved = await savedFrom(folder);
    expect(saved).toEqual([PART, expect.any(Number), 0]);
    expect(saved[1]).toBeGreaterThan(PART / 4);
    // The app may use the storage: only the app closes it.
    const storage = fileStorage(folder);
    const close = vi.spyOn(storage, 'close');
    expect((await verify(storage))[0]).toMatchObject({ kind: 'file' });
    expect(close).not.toHaveBeenCalled();
    await storage.close();
    expect(readFileSync(path).equals(cut)).toBe(true);
  });

  it('is repaired of what is intact before and after damaged bytes', async () => {
    const { folder, path, sizes } = await storedRows();
    writeFileSync(path, readFileSync(path).fill(0, sizes[0], sizes[0]! + 200));

    const saved = await savedFrom(folder);
    expect([saved[0], saved[2]]).toEqual([PART, PART]);
  });
});
