/**
 * The form of an encrypted value: its version, the id of its key, a nonce, and what AES-GCM makes
 * of the value, with a tag of 16 bytes at the end.
 *
 * The name under which a value is stored is authenticated with it. So a value that somebody puts
 * under another name is damaged.
 *
 * @module
 */

import { TableError } from '../../base/errors.js';
import { SEALED } from '../../base/sealed.js';
import { sameBytes } from '../bytes.js';
import type { StorageKey } from '../page-storage.js';
import type { EncryptionKey } from './keys.js';

const ID_BYTES = 4;
const NONCE_BYTES = 12;
const NONCE_AT = 1 + ID_BYTES;
const HEAD_BYTES = NONCE_AT + NONCE_BYTES;

// A value that is damaged: the engine finds that it has no valid form.
const DAMAGED = new Uint8Array();

const encoder = new TextEncoder();

const aesOf = (name: StorageKey, nonce: Uint8Array) => ({
  name: 'AES-GCM',
  iv: nonce as Uint8Array<ArrayBuffer>,
  additionalData: encoder.encode(name),
});

/** A key with what its values begin with. */
export class Sealer {
  readonly #key: CryptoKey;
  /** Rejects if the key cannot be used. */
  readonly id: Promise<Uint8Array>;

  constructor(key: EncryptionKey) {
    this.#key = key as CryptoKey;
    this.id = idOf(this.#key);
    // A caller sees it with the first value.
    this.id.catch(() => undefined);
  }

  /** Encrypts a value, which may change after the call. */
  async seal(name: StorageKey, value: Uint8Array): Promise<Uint8Array> {
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    const bytes = value.slice();
    const encrypted = await crypto.subtle.encrypt(aesOf(name, nonce), this.#key, bytes);
    const sealed = new Uint8Array(HEAD_BYTES + encrypted.byteLength);
    sealed[0] = SEALED;
    sealed.set(await this.id, 1);
    sealed.set(nonce, NONCE_AT);
    sealed.set(new Uint8Array(encrypted), HEAD_BYTES);
    return sealed;
  }

  async hasSealed(sealed: Uint8Array): Promise<boolean> {
    const id = sealed.subarray(1, NONCE_AT);
    return sameBytes(await this.id, id);
  }

  /**
   * Decrypts a value, if it is of this key. If it was changed, the result is a value that is
   * damaged.
   */
  async open(name: StorageKey, sealed: Uint8Array): Promise<Uint8Array | undefined> {
    const id = sealed.subarray(1, NONCE_AT);
    const aes = aesOf(name, sealed.subarray(NONCE_AT, HEAD_BYTES));
    const encrypted = sealed.subarray(HEAD_BYTES) as Uint8Array<ArrayBuffer>;
    if (!sameBytes(await this.id, id)) return undefined;
    try {
      return new Uint8Array(await crypto.subtle.decrypt(aes, this.#key, encrypted));
    } catch {
      return DAMAGED;
    }
  }
}

// Random nonces are never this one, as far as it matters: the chance is 1 in 2^96 a value.
const NO_NONCE = new Uint8Array(NONCE_BYTES);

// What the key makes of nothing; it tells nothing of the key.
async function idOf(key: CryptoKey): Promise<Uint8Array> {
  const aes = { name: 'AES-GCM', iv: NO_NONCE };
  return new Uint8Array(await crypto.subtle.encrypt(aes, key, new Uint8Array()), 0, ID_BYTES);
}

/**
 * Decrypts a value by the one of these keys that has encrypted it.
 *
 * @throws {@link TableError} `StorageKeyMismatch`, if none of them has.
 */
export async function opened(
  sealers: readonly Sealer[],
  name: StorageKey,
  sealed: Uint8Array,
): Promise<Uint8Array> {
  if (sealed[0] !== SEALED) {
    throw mismatch(name, 'is not encrypted, or by a newer version of encryptedStorage()');
  }
  const tried = await Promise.all(sealers.map((sealer) => sealer.open(name, sealed)));
  const value = tried.find((one) => one !== undefined);
  if (!value) throw mismatch(name, 'was encrypted with another key');
  return value;
}

const mismatch = (storageKey: StorageKey, what: string) =>
  new TableError('StorageKeyMismatch', `The value under ${storageKey} ${what}.`, { storageKey });
