/**
 * A store in the origin private file system of a browser, for dedicated workers.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { checkedOptions } from '../base/options.js';
import { shown } from '../base/shown.js';
import type { DescribedStorage, StorageDescription } from './description.js';
import { OpfsAccess } from './opfs/access.js';
import { OpfsFileSystem } from './opfs/file-system.js';
import { requireOpfs } from './opfs/handles.js';
import { copyOf, FileStorage, FileStores, type StoreUser } from './file/stores.js';
import type {
  Batch,
  CommitOptions,
  CommitResult,
  Durability,
  PageStorage,
  ReadRequest,
  Snapshot,
} from './page-storage.js';

export { FileDamage, TornEnd } from './file/problems.js';
export { StoreHeld } from './opfs/lease.js';

/** Options of {@link opfsStorage}. */
export interface OpfsStorageOptions {
  /**
   * By default `relaxed`: a commit survives the death of the browser, but not a power cut. With
   * `strict` it survives that, too. See `docs/concepts/durability.md`.
   */
  readonly durability?: Durability | undefined;

  /**
   * Called with problems that fail no call. A {@link TornEnd}: a crash interrupted a write, and its
   * bytes were cut off. Any other value is the reason why the file could not be rewritten without
   * dead bytes, or could not be closed. After a failed rewrite (no room, say), the store works on,
   * and the file grows until a later rewrite succeeds.
   */
  readonly onProblem?: ((cause: unknown) => void) | undefined;
}

let stores: FileStores | undefined;

/**
 * Returns the store of that name in the origin private file system. Its first use creates it. All
 * dedicated workers of the origin that use the name share the store, in all tabs.
 *
 * Its commits are faster than those of `indexedDbStorage`. It works only in dedicated workers:
 * elsewhere, each use fails with `StorageUnavailable`, and the message says what to do. A tab that
 * is frozen, or busy for ten seconds, can keep the others from writing: their calls then fail with
 * `StorageUnavailable`, whose `cause` is a {@link StoreHeld}.
 *
 * A use fails with `StorageDamaged` if a file is not as it was written; its `cause` is a
 * {@link FileDamage}. Then nothing is changed.
 *
 * @example
 * ```ts
 * // In a script that a page starts with new Worker().
 * const account = await openAccount({ storage: opfsStorage('my-app') });
 * ```
 * @throws {@link TableError} `InvalidInput`, if the name is not a string, or an option is unknown.
 */
export function opfsStorage(name: string, options?: OpfsStorageOptions): PageStorage {
  if (typeof name !== 'string') {
    throw invalidInput(`The name of an OPFS store must be a string, not ${shown(name)}.`);
  }
  const kinds = { durability: ['relaxed', 'strict'], onProblem: 'function' } as const;
  const { durability = 'relaxed', onProblem } = checkedOptions('opfsStorage', options, kinds);
  stores ??= opfsStores();
  const setting = { folder: folderOf(name), durability, onProblem };
  return new OpfsStorage(stores, setting, { name, options: { durability, onProblem } });
}

// A name may have characters that no folder may have in its name.
function folderOf(name: string): string {
  try {
    return `entitable-${encodeURIComponent(name)}`;
  } catch (cause) {
    throw invalidInput('The name of an OPFS store must be well-formed Unicode.', cause);
  }
}

const channelOf = (folder: string): string => `entitable:opfs:${folder}`;

function opfsStores(): FileStores {
  return new FileStores({
    resolve: async (folder) => {
      requireOpfs();
      return folder;
    },
    channelOf,
    settingFor: (folder) => {
      const fileSystem = new OpfsFileSystem(folder);
      const writer = crypto.randomUUID();
      const access = new OpfsAccess(fileSystem, `${channelOf(folder)}:`, writer);
      return { fileSystem, access, writer, boot: 0 };
    },
  });
}

/** What a storage was made of. */
interface Given {
  readonly name: string;
  readonly options: OpfsStorageOptions;
}

class OpfsStorage extends FileStorage implements DescribedStorage {
  readonly #given: Given;

  constructor(stores: FileStores, setting: StoreUser, given: Given) {
    super(stores, setting);
    // A folder has one name here, so the channel is known before the store is open. The first read
    // of an account can then begin at once.
    this.channel = channelOf(setting.folder);
    this.#given = given;
  }

  override async commit(batch: Batch, options?: CommitOptions): Promise<CommitResult> {
    return withRoom(await super.commit(batch, options));
  }

  async exclusively(
    { keys, recordsAfter }: ReadRequest,
    decide: (snapshot: Snapshot) => Batch | undefined,
    options: CommitOptions = {},
  ): Promise<CommitResult | undefined> {
    const request = { keys: [...keys], recordsAfter };
    const durability = this.durabilityOf(options);
    const store = await this.store();
    const decideAndCopy = (snapshot: Snapshot) => {
      const batch = decide(snapshot);
      return batch && copyOf(batch);
    };
    const result = await store.exclusively(request, decideAndCopy, durability);
    return result && withRoom(result);
  }

  describe(): StorageDescription {
    const { durability, onProblem } = this.#given.options;
    if (onProblem) throw invalidInput('The option onProblem cannot be sent to a worker.');
    return { factory: 'opfsStorage', args: [this.#given.name, { durability }] };
  }
}

async function withRoom(result: CommitResult): Promise<CommitResult> {
  if (result.outcome !== 'quota') return result;
  const room = await navigator.storage.estimate?.().catch(() => undefined);
  return { ...result, room: room && { usage: room.usage, quota: room.quota } };
}
