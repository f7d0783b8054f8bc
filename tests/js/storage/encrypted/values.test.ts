// What encryptedStorage keeps of values, and whom it lets read them.

import { beforeAll, describe, expect, it } from 'vitest';

import { encryptedStorage, keyFromPassphrase } from '../../../../js/src/storage/encrypted.js';
import { memoryStorage } from '../../../../js/src/storage/memory.js';
import type { PageStorage, StorageKey } from '../../../../js/src/storage/page-storage.js';
import { batch, newKey, valueOf } from '../../support/encrypted.js';
import { errorCode, tableError } from '../../support/rejection.js';
import { WatchedStorage } from '../../support/storages.js';

let [key, other] = [] as unknown as [CryptoKey, CryptoKey];
beforeAll(async () => {
  [key, other] = await Promise.all([newKey(), newKey()]);
});

const SECRET = new TextEncoder().encode('the secret of the sea');

const put = (storage: PageStorage, ...puts: [StorageKey, Uint8Array][]) =>
  storage.commit(batch({ puts }));

describe('a value', () => {
  it('is stored so that nobody without the key can read it, or see that two are equal', async () => {
    const inner = memoryStorage();
    const storage = encryptedStorage(inner, key);

    await put(storage, ['pages/1', SECRET], ['pages/2', SECRET]);

    const stored = [await valueOf(inner, 'pages/1'), await valueOf(inner, 'pages/2')];
    for (const bytes of stored) {
      expect(new TextDecoder().decode(bytes)).not.toContain('secret');
      // AES-GCM adds a tag of 16 bytes to a nonce of 12.
      expect(bytes!.length).toBeGreaterThanOrEqual(SECRET.length + 28);
    }
    expect(stored[0]).not.toEqual(stored[1]);
    expect(await valueOf(storage, 'pages/1')).toEqual(SECRET);
  });

  it('is damaged if a bit of it has changed, or another value is in its place', async () => {
    const inner = memoryStorage();
    const storage = encryptedStorage(inner, key);
    await put(storage, ['pages/1', SECRET], ['pages/2', SECRET]);
    const first = (await valueOf(inner, 'pages/1'))!;
    const changed = first.slice();
    changed[changed.length - 1]! ^= 1;

    await put(inner, ['pages/1', changed], ['pages/2', first]);

    // An empty value, which no engine takes for one of its own.
    expect(await valueOf(storage, 'pages/1')).toEqual(new Uint8Array());
    expect(await valueOf(storage, 'pages/2')).toEqual(new Uint8Array());
  });
});

describe('another key', () => {
  it('reads nothing and changes nothing', async () => {
    const inner = memoryStorage();
    await put(encryptedStorage(inner, key), ['log/base', SECRET]);
    const stranger = encryptedStorage(inner, other);

    const { code, message, details } = await tableError(valueOf(stranger, 'log/base'));
    expect({ code, message, storageKey: details.storageKey }).toEqual({
      code: 'StorageKeyMismatch',
      message: 'The value under log/base was encrypted with another key.',
      storageKey: 'log/base',
    });
    const expected = batch({ expect: [['log/base', SECRET]], puts: [['log/1', SECRET]] });
    expect(await stranger.commit(expected)).toMatchObject({
      outcome: 'refused',
      cause: { code: 'StorageKeyMismatch' },
    });
    expect(await inner.list!()).toEqual(['log/base']);
  });

  it('is none that would read a store which is not encrypted', async () => {
    const inner = memoryStorage();
    await put(inner, ['log/base', SECRET]);

    expect((await tableError(valueOf(encryptedStorage(inner, key), 'log/base'))).message).toBe(
      'The value under log/base is not encrypted, or by a newer version of encryptedStorage().',
    );
  });
});

describe('what a commit expects', () => {
  it('is found although another tab has stored the same value again', async () => {
    const inner = new WatchedStorage();
    const [one, two] = [encryptedStorage(inner, key), encryptedStorage(inner, key)];
    await put(one, ['log/base', SECRET]);
    expect((await two.commit(batch({ puts: [['log/base', SECRET]] }))).outcome).toBe('ok');

    const next = batch({
      expect: [
        ['log/base', SECRET],
        ['log/1', undefined],
      ],
      puts: [['log/1', SECRET]],
    });

    expect((await one.commit(next)).outcome).toBe('ok');
    expect((await one.commit(next)).outcome).toBe('moved');
    expect((await two.commit(next)).outcome).toBe('moved');
  });

  it('costs no read if it is the value that was read or stored last', async () => {
    const inner = new WatchedStorage();
    const storage = encryptedStorage(inner, key);
    await put(storage, ['log/base', SECRET]);

    await storage.commit(batch({ expect: [['log/base', SECRET]], puts: [['log/1', SECRET]] }));

    expect(inner.reads).toEqual([]);
  });
});

describe('a change of the key', () => {
  it('ends with values that need the new one alone, while others write', async () => {
    const inner = memoryStorage();
    const old = encryptedStorage(inner, key);
    const keys = Array.from({ length: 40 }, (_, at): StorageKey => `pages/${at + 1}`);
    await put(old, ...keys.map((name): [StorageKey, Uint8Array] => [name, SECRET]));
    const changing = encryptedStorage(inner, { key: other, previous: [key] });

    const late = Promise.all([
      put(old, ['pages/1', SECRET.slice(1)], ['pages/99', SECRET]),
      changing.commit(batch({ puts: [], deletes: ['pages/2'] })),
    ]);
    expect(await changing.changeKey()).toBeGreaterThanOrEqual(39);
    await late;
    await changing.changeKey();

    const now = encryptedStorage(inner, other);
    const { values } = await now.read({ keys: [...keys, 'pages/99'] });
    expect(values).toEqual([SECRET.slice(1), undefined, ...Array(39).fill(SECRET)]);
    expect(await errorCode(valueOf(old, 'pages/1'))).toBe('StorageKeyMismatch');
    expect(await changing.changeKey()).toBe(0);
  });

  it('goes on after it was interrupted', async () => {
    const watched = new WatchedStorage();
    const inner = Object.assign(watched, { list: () => watched.inner.list!() });
    const old = encryptedStorage(inner, key);
    await put(old, ['pages/1', SECRET], ['pages/2', SECRET]);
    const changing = encryptedStorage(inner, { key: other, previous: [key] });
    let commits = 0;
    inner.onCommit = () =>
      ++commits === 2 ? Promise.resolve({ outcome: 'quota' as const }) : undefined;

    expect(await errorCode(changing.changeKey())).toBe('StorageQuotaExceeded');
    expect(await changing.read({ keys: ['pages/1', 'pages/2'] })).toMatchObject({
      values: [SECRET, SECRET],
    });
    inner.onCommit = undefined;
    expect(await changing.changeKey()).toBe(1);
  });
});

describe('a key of a passphrase', () => {
  const salt = new Uint8Array(16).fill(7);
  const made = (passphrase: string, of = salt) =>
    keyFromPassphrase(passphrase, { salt: of, iterations: 100_000 });

  it('is the same for the same passphrase and salt, however it is typed', async () => {
    const inner = memoryStorage();
    await put(encryptedStorage(inner, await made('caf\u00e9')), ['log/base', SECRET]);

    const again = encryptedStorage(inner, await made('cafe\u0301'));
    expect(await valueOf(again, 'log/base')).toEqual(SECRET);
    for (const wrong of [await made('cafe'), await made('caf\u00e9', new Uint8Array(16))]) {
      const storage = encryptedStorage(inner, wrong);
      expect(await errorCode(valueOf(storage, 'log/base'))).toBe('StorageKeyMismatch');
    }
  });

  it('cannot be exported', async () => {
    await expect(
      crypto.subtle.exportKey('raw', (await made('caf\u00e9')) as CryptoKey),
    ).rejects.toThrow();
  });

  it.each([
    ['an empty passphrase', '', { salt }, 'The passphrase must be a text that is not empty.'],
    ['a short salt', 'x', { salt: new Uint8Array(8) }, /salt .* 16 bytes or more/],
    ['few iterations', 'x', { salt, iterations: 1000 }, /iterations .* 100000 or more, not 1000/],
  ])('needs more than %s', async (_, passphrase, options, message) => {
    const error = await tableError(keyFromPassphrase(passphrase, options));
    expect(error).toMatchObject({ code: 'InvalidInput', message: expect.stringMatching(message) });
  });
});

it('takes only keys of AES-GCM for both ways', async () => {
  const half = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
  ]);
  const open = (given: unknown) => () => encryptedStorage(memoryStorage(), given as CryptoKey);

  expect(open(half)).toThrow('not one of AES-GCM for encrypt');
  expect(open('secret')).toThrow(/must be a CryptoKey of AES-GCM .* not .?secret/);
  expect(open({ key, previous: key })).toThrow('must be an array of keys');
});
