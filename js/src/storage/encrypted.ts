/**
 * Encrypts what another storage keeps.
 *
 * @module
 */

import { invalidInput, TableError } from '../base/errors.js';
import { checkedOptions } from '../base/options.js';
import { hasMethod, isObject } from '../base/kinds.js';
import { sameBytes } from './bytes.js';
import { checkKey, checkWebCrypto, type EncryptionKey } from './encrypted/keys.js';
import { opened, Sealer } from './encrypted/sealed.js';
import type {
  Batch,
  CommitOptions,
  CommitOutcome,
  CommitResult,
  PageStorage,
  ReadRequest,
  Snapshot,
  StorageKey,
} from './page-storage.js';
import { WrappedStorage } from './wrapped-storage.js';

export { keyFromPassphrase, type EncryptionKey, type PassphraseOptions } from './encrypted/keys.js';

/** The keys of a store while its key changes. */
export interface ChangingKey {
  /** Encrypts from now on. */
  readonly key: EncryptionKey;
  /** Those that have encrypted before. */
  readonly previous: readonly EncryptionKey[];
}

/** A storage whose values are encrypted. */
export interface EncryptedStorage extends PageStorage {
  /**
   * Encrypts with the new key every value that still has a previous one. Other tabs may use the
   * store meanwhile, if they have both keys. If it is interrupted, call it again.
   *
   * @returns how many values it has encrypted anew.
   * @throws {@link TableError} `NotImplemented`, if the storage below cannot list its values;
   * `StorageKeyMismatch`, if a value has none of the keys; or what the storage says.
   */
  changeKey(): Promise<number>;
}

/**
 * Returns a storage that encrypts each value with AES-GCM before `storage` gets it, and decrypts it
 * after `storage` has returned it. Each value has a fresh nonce, and its name is authenticated with
 * it. Number, names and sizes of the values, and the times of writes, are not hidden; nor can a
 * value be told from an older one of the same name that somebody puts back.
 *
 * A store is encrypted from its first value on. To encrypt one that is not, copy its account into a
 * new store. The key is never stored: if it is lost, so are the data.
 *
 * @param key - a `CryptoKey` of AES-GCM, for `encrypt` and `decrypt`: of
 * {@link keyFromPassphrase}, or of `crypto.subtle.generateKey()`. It need not be extractable.
 * @example
 * ```ts
 * const key = await keyFromPassphrase(passphrase, { salt });
 * const account = await openAccount({ storage: encryptedStorage(indexedDbStorage('app'), key) });
 * ```
 * @throws {@link TableError} `InvalidInput`, if this is no storage or no such key;
 * `StorageUnavailable`, if there is no WebCrypto here. Later, a store that has another key rejects
 * every call with `StorageKeyMismatch`, and changes nothing.
 */
export function encryptedStorage(
  storage: PageStorage,
  key: EncryptionKey | ChangingKey,
): EncryptedStorage {
  if (!hasMethod(storage, 'read') || !hasMethod(storage, 'commit')) {
    throw invalidInput('The first argument of encryptedStorage must be a storage.');
  }
  checkWebCrypto();
  const isChange = isObject(key) && 'previous' in key;
  const { key: newest, previous } = isChange
    ? checkedOptions('encryptedStorage', key, { key: 'any', previous: 'any' })
    : { key, previous: [] };
  if (!Array.isArray(previous)) {
    throw invalidInput('The option previous of encryptedStorage must be an array of keys.');
  }
  return new Encrypted(
    storage,
    [newest, ...(previous as unknown[])].map((one) => {
      checkKey(one);
      return new Sealer(one);
    }),
  );
}

/** A value in both forms. */
interface Known {
  readonly plain: Uint8Array;
  readonly sealed: Uint8Array;
}

type Expected = readonly [StorageKey, Uint8Array | undefined];

/** A copy of a batch, whose values are being encrypted. */
interface TakenBatch extends Omit<Batch, 'puts'> {
  readonly puts: Promise<readonly (Known & { readonly key: StorageKey })[]>;
}

// How many values a change of the key reads at once.
const AT_ONCE = 16;

class Encrypted extends WrappedStorage implements EncryptedStorage {
  readonly #sealers: readonly Sealer[];

  // The two values that commits expect, as they were read or stored last. Encrypted again, a value
  // differs, so the stored bytes have to be known.
  readonly #known = new Map<StorageKey, Known>();

  constructor(storage: PageStorage, sealers: readonly Sealer[]) {
    super(storage);
    this.#sealers = sealers;
  }

  read({ keys, recordsAfter }: ReadRequest): Promise<Snapshot> {
    return this.untilRead(this.#read({ keys: [...keys], recordsAfter }));
  }

  async #read(request: ReadRequest): Promise<Snapshot> {
    const { values, records } = await this.inner.read(request);
    const [plain, plainRecords] = await Promise.all([
      Promise.all(values.map((sealed, at) => this.#open(request.keys[at]!, sealed))),
      Promise.all(
        records.map(
          async ([number, sealed]) =>
            [number, (await this.#open(`log/${number}`, sealed))!] as const,
        ),
      ),
    ]);
    request.keys.forEach((key, at) => this.#learn(key, plain[at], values[at]));
    return { values: plain, records: plainRecords };
  }

  async #open(key: StorageKey, sealed: Uint8Array | undefined): Promise<Uint8Array | undefined> {
    return sealed && opened(this.#sealers, key, sealed);
  }

  #learn(key: StorageKey, plain: Uint8Array | undefined, sealed: Uint8Array | undefined): void {
    if (key !== 'log/base' && key !== 'pages/root') return;
    // The caller may change what it gets.
    if (plain && sealed) this.#known.set(key, { plain: plain.slice(), sealed });
    else this.#known.delete(key);
  }

  commit(batch: Batch, options?: CommitOptions): Promise<CommitResult> {
    const taken = this.#taken(batch);
    // It is waited for in its turn.
    taken.puts.catch(() => undefined);
    return this.inTurn(() => this.#commit(taken, options));
  }

  #taken({ puts, expect, deletes, ...others }: Batch): TakenBatch {
    return {
      ...others,
      expect: expect.map(([key, value]) => [key, value?.slice()] as const),
      puts: Promise.all(puts.map(([key, value]) => this.#seal(key, value.slice()))),
      deletes: [...deletes],
    };
  }

  async #seal(key: StorageKey, plain: Uint8Array): Promise<Known & { key: StorageKey }> {
    return { key, plain, sealed: await this.#sealers[0]!.seal(key, plain) };
  }

  async #commit(batch: TakenBatch, options: CommitOptions | undefined): Promise<CommitResult> {
    const sealed = await batch.puts;
    const puts = sealed.map((one) => [one.key, one.sealed] as const);
    let expect = this.#expectKnown(batch.expect);
    for (;;) {
      expect ??= await this.#expectStored(batch.expect);
      if (!expect) return { outcome: 'moved' };
      const result = await this.inner.commit({ ...batch, expect, puts }, options);
      if (result.outcome === 'ok') {
        for (const one of sealed) this.#learn(one.key, one.plain, one.sealed);
      }
      if (result.outcome !== 'moved') return result;
      // Another tab may have stored the same value, in other bytes. The loop ends, because each
      // `moved` means that another commit has succeeded.
      expect = undefined;
    }
  }

  /** The stored bytes of what a batch expects; undefined, if they are not all known. */
  #expectKnown(expect: readonly Expected[]): readonly Expected[] | undefined {
    const stored: Expected[] = [];
    for (const [key, value] of expect) {
      const known = value && this.#known.get(key);
      if (value && !(known && sameBytes(known.plain, value))) return undefined;
      stored.push([key, known?.sealed]);
    }
    return stored;
  }

  /** The same, as they are now; undefined, if something else is stored. */
  async #expectStored(expect: readonly Expected[]): Promise<readonly Expected[] | undefined> {
    const { values } = await this.inner.read({ keys: expect.map(([key]) => key) });
    const plain = await Promise.all(expect.map(([key], at) => this.#open(key, values[at])));
    expect.forEach(([key], at) => this.#learn(key, plain[at], values[at]));
    if (!expect.every(([, value], at) => sameBytes(value, plain[at]))) return undefined;
    return expect.map(([key], at) => [key, values[at]] as const);
  }

  async changeKey(): Promise<number> {
    if (!this.list) {
      throw new TableError(
        'NotImplemented',
        'This storage cannot list its values. Copy its account into a new store with the new key.',
      );
    }
    let changed = 0;
    for (;;) {
      const before = changed;
      const keys = await this.list();
      for (let at = 0; at < keys.length; at += AT_ONCE) {
        changed += await this.#changeKeyOf(keys.slice(at, at + AT_ONCE));
      }
      // Others with an older key may have written meanwhile.
      if (changed === before) return changed;
    }
  }

  async #changeKeyOf(keys: readonly StorageKey[]): Promise<number> {
    const { values } = await this.inner.read({ keys });
    const changes = await Promise.all(
      keys.map(async (key, at) => {
        const sealed = values[at];
        if (!sealed || (await this.#sealers[0]!.hasSealed(sealed))) return false;
        const anew = await this.#seal(key, (await this.#open(key, sealed))!);
        const { outcome, cause } = await this.inTurn(() =>
          this.inner.commit({ expect: [[key, sealed]], puts: [[key, anew.sealed]], deletes: [] }),
        );
        // A value that was changed or deleted is looked at again, if it is still there.
        if (outcome === 'ok' || outcome === 'moved') return true;
        throw notChanged(outcome, cause);
      }),
    );
    return changes.filter(Boolean).length;
  }
}

const notChanged = (outcome: CommitOutcome, cause: unknown) =>
  new TableError(
    outcome === 'quota' ? 'StorageQuotaExceeded' : 'StorageUnavailable',
    'The change of the key has stopped. Call changeKey() again; until then, keep both keys.',
    { cause },
  );
