/**
 * A store of notes that a passphrase encrypts, and what an onlooker finds on the disk.
 *
 * @module
 */

import {
  deleteAccount,
  openAccount,
  type TableClient,
  type TableEntityResult,
  type TableServiceClient,
} from 'entitable';
import type { StorageKey } from 'entitable/storage/contract';
import { encryptedStorage, keyFromPassphrase } from 'entitable/storage/encrypted';
import { indexedDbStorage } from 'entitable/storage/indexeddb';

const DATABASE = 'entitable-vault';
const TABLE = 'Notes';
const PARTITION = 'notes';

// The salt of the passphrase is no secret. A new store gets a new one.
const SALT = 'entitable-vault-salt';
const SALT_BYTES = 16;

export type Note = TableEntityResult<{ text: string }>;

/** A value that the database keeps, as it is on the disk. */
export interface StoredValue {
  readonly key: StorageKey;
  readonly bytes: Uint8Array;
}

/** The notes, while they are unlocked. */
export class Vault {
  readonly #account: TableServiceClient;
  readonly #notes: TableClient;

  private constructor(account: TableServiceClient) {
    this.#account = account;
    this.#notes = account.tableClient(TABLE);
  }

  /**
   * Opens the notes; makes them, if there are none.
   *
   * @throws {@link TableError} `StorageKeyMismatch`, if they have another passphrase.
   */
  static async open(passphrase: string): Promise<Vault> {
    const key = await keyFromPassphrase(passphrase, { salt: salt() });
    const account = await openAccount({
      storage: encryptedStorage(indexedDbStorage(DATABASE), key),
    });
    try {
      const vault = new Vault(account);
      await vault.#makeTable();
      return vault;
    } catch (error) {
      await account.close();
      throw error;
    }
  }

  async #makeTable(): Promise<void> {
    for await (const { name } of this.#account.listTables()) if (name === TABLE) return;
    await this.#notes.createTable();
  }

  /** The notes, the newest first. */
  async list(): Promise<Note[]> {
    const notes: Note[] = [];
    const options = { orderBy: ['timestamp desc'] } as const;
    for await (const note of this.#notes.listEntities<{ text: string }>(options)) notes.push(note);
    return notes;
  }

  async add(text: string): Promise<void> {
    const rowKey = crypto.randomUUID();
    await this.#notes.createEntity({ partitionKey: PARTITION, rowKey, text });
  }

  async delete({ partitionKey, rowKey }: Note): Promise<void> {
    await this.#notes.deleteEntity(partitionKey, rowKey);
  }

  async lock(): Promise<void> {
    await this.#account.close();
  }
}

/** The values of the store, read without the key. */
export async function valuesOnDisk(): Promise<StoredValue[]> {
  const storage = indexedDbStorage(DATABASE);
  try {
    const keys = [...(await storage.list!())].sort();
    const { values } = await storage.read({ keys });
    return keys.map((key, at) => ({ key, bytes: values[at] ?? new Uint8Array() }));
  } finally {
    await storage.close();
  }
}

/** Deletes the notes and the salt. The next passphrase is a new one. */
export async function emptyVault(): Promise<void> {
  await deleteAccount(DATABASE);
  localStorage.removeItem(SALT);
}

function salt(): Uint8Array {
  const kept = localStorage.getItem(SALT);
  if (kept !== null) return Uint8Array.from(kept.split(','), Number);
  const made = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  localStorage.setItem(SALT, made.join());
  return made;
}
