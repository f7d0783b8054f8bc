/**
 * The keys of encrypted stores.
 *
 * @module
 */

import { invalidInput, TableError } from '../../base/errors.js';
import { checkedOptions } from '../../base/options.js';
import { isObject } from '../../base/kinds.js';
import { shown } from '../../base/shown.js';

/** A `CryptoKey` of WebCrypto: of AES-GCM, for `encrypt` and `decrypt`. */
export interface EncryptionKey {
  readonly type: string;
  readonly extractable: boolean;
  readonly algorithm: { readonly name: string };
  readonly usages: readonly string[];
}

/** What makes a key of a passphrase. */
export interface PassphraseOptions {
  /**
   * 16 random bytes or more, the same for each start of the app. It is no secret: keep it beside
   * the store, in `localStorage` or on your server.
   */
  readonly salt: Uint8Array;
  /** How often the hash is repeated: 100,000 or more, by default 600,000 (about 0.2 s). */
  readonly iterations?: number | undefined;
}

const LEAST_SALT_BYTES = 16;
const LEAST_ITERATIONS = 100_000;
const USUAL_ITERATIONS = 600_000;

/**
 * Makes a key of a passphrase, by PBKDF2 with SHA-256. The key cannot be exported.
 *
 * @param passphrase - not empty. Who can guess it, can read the store: wish for a long one.
 * @throws {@link TableError} `InvalidInput`, if the passphrase is empty, or the salt or the number
 * of iterations is too short; `StorageUnavailable`, if there is no WebCrypto here.
 */
export async function keyFromPassphrase(
  passphrase: string,
  options: PassphraseOptions,
): Promise<EncryptionKey> {
  const { salt, iterations = USUAL_ITERATIONS } = checkedOptions('keyFromPassphrase', options, {
    salt: 'any',
    iterations: 'count',
  });
  if (typeof passphrase !== 'string' || passphrase === '') {
    throw invalidInput('The passphrase must be a text that is not empty.');
  }
  if (!(ArrayBuffer.isView(salt) && salt.byteLength >= LEAST_SALT_BYTES)) {
    throw invalidInput(
      `The option salt of keyFromPassphrase must be a Uint8Array of ${LEAST_SALT_BYTES} bytes or more, not ${shown(salt)}.`,
    );
  }
  if (iterations < LEAST_ITERATIONS) {
    throw invalidInput(
      `The option iterations of keyFromPassphrase must be ${LEAST_ITERATIONS} or more, not ${iterations}.`,
    );
  }
  checkWebCrypto();
  const secret = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(passphrase.normalize('NFC')),
    'PBKDF2',
    false,
    ['deriveKey'],
  );
  return crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt: salt as Uint8Array<ArrayBuffer>, iterations },
    secret,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

/** Refuses what is no key for encryptedStorage(). */
export function checkKey(key: unknown): asserts key is EncryptionKey {
  const { algorithm, usages } = (isObject(key) ? key : {}) as Partial<EncryptionKey>;
  const fits =
    algorithm?.name === 'AES-GCM' && usages?.includes('encrypt') && usages.includes('decrypt');
  if (fits) return;
  const what = algorithm ? `one of ${algorithm.name} for ${usages?.join(' and ')}` : shown(key);
  throw invalidInput(
    `A key of encryptedStorage must be a CryptoKey of AES-GCM for encrypt and decrypt, not ${what}.`,
  );
}

export function checkWebCrypto(): void {
  if (globalThis.crypto?.subtle) return;
  throw new TableError(
    'StorageUnavailable',
    'There is no WebCrypto here. Browsers have it only in pages that come by HTTPS, or from localhost.',
  );
}
