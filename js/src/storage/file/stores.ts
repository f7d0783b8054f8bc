/**
 * The open stores of this process: one for each folder, whatever names it has.
 *
 * @module
 */

import type {
  Batch,
  CommitOptions,
  CommitResult,
  Durability,
  PageStorage,
  ReadRequest,
  Snapshot,
  StatusListener,
  StorageKey,
} from '../page-storage.js';
import { StatusListeners } from '../status-listeners.js';
import type { StoreSetting } from './current-file.js';
import { refusal, TornEnd, unavailable } from './problems.js';
import { keysOf, snapshotOf } from './snapshot.js';
import { FileStore } from './store.js';

/** One user of a folder. */
export interface StoreUser {
  readonly folder: string;
  readonly durability: Durability;
  readonly onProblem?: ((cause: unknown) => void) | undefined;
}

/** What the stores are made of. */
export interface StoresSetting {
  /** Returns the real path of a folder. Two stores never have the same one. */
  readonly resolve: (folder: string) => Promise<string>;

  /** The setting of the store in a folder, by its real path. */
  readonly settingFor: (folder: string) => Omit<StoreSetting, 'onProblem'>;

  /** The {@link PageStorage.channel} of the store in a folder, by its real path. */
  readonly channelOf: (folder: string) => string;
}

/** The store of a folder, and its users. */
export interface SharedStore {
  readonly store: FileStore;
  readonly channel: string;
  readonly users: Set<StoreUser>;
}

export class FileStores {
  readonly #setting: StoresSetting;

  // By the real path of the folder.
  readonly #shared = new Map<string, SharedStore>();

  constructor(setting: StoresSetting) {
    this.#setting = setting;
  }

  /** Does nothing before its first use. */
  storageFor(user: StoreUser): PageStorage {
    return new FileStorage(this, user);
  }

  /** Adds the user to the store of its folder. */
  async enter(user: StoreUser): Promise<SharedStore> {
    const folder = await this.#setting.resolve(user.folder).catch((cause: unknown) => {
      throw unavailable(user.folder, cause);
    });
    let shared = this.#shared.get(folder);
    if (!shared) {
      const users = new Set<StoreUser>();
      // In microtasks of their own: errors of the callback go to the host.
      const onProblem = (cause: unknown) =>
        users.forEach((one) => queueMicrotask(() => one.onProblem?.(cause)));
      const store = new FileStore(folder, { ...this.#setting.settingFor(folder), onProblem });
      shared = { store, users, channel: this.#setting.channelOf(folder) };
      this.#shared.set(folder, shared);
    }
    shared.users.add(user);
    return shared;
  }

  /** Removes the user. Without users, the store is closed. */
  async leave(left: SharedStore, user: StoreUser): Promise<void> {
    left.users.delete(user);
    if (left.users.size > 0) return;
    try {
      await left.store.close();
    } finally {
      this.#forgetIfUnused(left);
    }
  }

  #forgetIfUnused(left: SharedStore): void {
    if (left.users.size > 0) return;
    for (const [folder, shared] of this.#shared) {
      if (shared === left) this.#shared.delete(folder);
    }
  }
}

/** The storage of one user of a folder. */
export class FileStorage implements PageStorage {
  channel: string | undefined;
  readonly #stores: FileStores;
  readonly #user: StoreUser;
  readonly #listeners = new StatusListeners();
  #shared: Promise<SharedStore> | undefined;

  constructor(stores: FileStores, user: StoreUser) {
    this.#stores = stores;
    const onProblem = (cause: unknown) => {
      if (cause instanceof TornEnd) this.#listeners.reportAndKeep('torn');
      user.onProblem?.(cause);
    };
    this.#user = { ...user, onProblem };
  }

  onStatus(listener: StatusListener): () => void {
    return this.#listeners.add(listener);
  }

  async read({ keys, recordsAfter }: ReadRequest): Promise<Snapshot> {
    // Before the first await, as below.
    const request = { keys: [...keys], recordsAfter };
    return (await this.store()).read(request);
  }

  async list(): Promise<StorageKey[]> {
    return (await this.store()).list();
  }

  /**
   * What is intact of a file that cannot be opened, to be read and closed, beside this storage;
   * undefined, if nothing is.
   */
  async salvage(): Promise<Pick<PageStorage, 'read' | 'list' | 'close'> | undefined> {
    const salvaged = await (await this.store()).salvage();
    return (
      salvaged && {
        read: ({ keys, recordsAfter }) => snapshotOf(salvaged, { keys: [...keys], recordsAfter }),
        list: () => Promise.resolve(keysOf(salvaged)),
        close: () => salvaged.file.release(),
      }
    );
  }

  async commit(batch: Batch, options: CommitOptions = {}): Promise<CommitResult> {
    // Before the first await: the caller may reuse its buffers.
    const own = copyOf(batch);
    const durability = this.durabilityOf(options);
    try {
      const store = await this.store();
      return await store.commit(own, durability);
    } catch (cause) {
      return refusal(cause);
    }
  }

  /** How durable a commit must be. */
  protected durabilityOf({ durability }: CommitOptions): Durability {
    return durability ?? this.#user.durability;
  }

  async close(): Promise<void> {
    const entering = this.#shared;
    this.#shared = undefined;
    this.#listeners.forget();
    const shared = await entering?.catch(() => undefined);
    if (shared) await this.#stores.leave(shared, this.#user);
  }

  async destroy(): Promise<void> {
    await (await this.store()).destroy();
    await this.close();
  }

  /** The store that all users of the folder share. */
  protected async store(): Promise<FileStore> {
    if (!this.#shared) {
      const entering = this.#stores.enter(this.#user);
      this.#shared = entering;
      entering.catch(() => {
        if (this.#shared === entering) this.#shared = undefined;
      });
    }
    const { store, channel } = await this.#shared;
    this.channel = channel;
    return store;
  }
}

/** A copy with buffers of its own. */
export function copyOf({ expect, puts, deletes, frees }: Batch): Batch {
  return {
    expect: expect.map(([key, value]) => [key, value?.slice()] as const),
    puts: puts.map(([key, value]) => [key, value.slice()] as const),
    deletes: [...deletes],
    frees,
  };
}
