// commands.ts - what a test can order a worker with OPFS to do. Each worker has one storage.

import { TableError } from '../../../../js/src/base/errors.js';
import { storageContract } from '../../../../js/src/storage/contract.js';
import { OpfsFileSystem } from '../../../../js/src/storage/opfs/file-system.js';
import { opfsStorage } from '../../../../js/src/storage/opfs.js';
import type {
  Batch,
  CommitOutcome,
  Durability,
  PageStorage,
  StoreStatus,
} from '../../../../js/src/storage/page-storage.js';

/** A result that can be sent to another thread. */
export interface SentResult {
  readonly outcome: CommitOutcome;

  /** The code of the cause, or its name. */
  readonly cause: string | undefined;
  readonly quota: number | undefined;
}

let storage: PageStorage;
const statuses: StoreStatus[] = [];
const problems: string[] = [];

const noise = (length: number) => {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  }
  return bytes;
};

async function commit(batch: Batch): Promise<SentResult> {
  const { outcome, cause, room } = await storage.commit(batch);
  return { outcome, cause: cause === undefined ? undefined : kindOf(cause), quota: room?.quota };
}

/** The files of a new store, without the store. */
async function newFiles(): Promise<OpfsFileSystem> {
  const files = new OpfsFileSystem(`files-${crypto.randomUUID()}`);
  await files.resume();
  await files.makeFolder('folder');
  return files;
}

const kindOf = (cause: unknown) =>
  cause instanceof TableError ? cause.code : (cause as Error).name;

export const COMMANDS = {
  /** From now on, a file is open in one worker at a time, as in browsers other than Chromium. */
  useExclusiveHandles(): void {
    const files = FileSystemFileHandle.prototype as unknown as Record<string, () => unknown>;
    const { createSyncAccessHandle } = files;
    files['createSyncAccessHandle'] = function (this: FileSystemFileHandle) {
      return createSyncAccessHandle!.call(this);
    };
  },

  /** From now on, the files are in a storage bucket with this quota. */
  async useBucket(name: string, quota: number): Promise<void> {
    const { storageBuckets } = navigator as unknown as { storageBuckets: StorageBuckets };
    const bucket = await storageBuckets.open(name, { quota });
    navigator.storage.getDirectory = () => bucket.getDirectory();
    navigator.storage.estimate = () => bucket.estimate();
  },

  async deleteBucket(name: string): Promise<void> {
    await (navigator as unknown as { storageBuckets: StorageBuckets }).storageBuckets.delete(name);
  },

  /** The number of checks of the contract, and those that failed. */
  async checkContract(durability: Durability): Promise<{ checks: number; failures: string[] }> {
    const failures: string[] = [];
    for (const { name, run } of storageContract) {
      const store = `contract-${crypto.randomUUID()}`;
      await run(() => opfsStorage(store, { durability })).catch((error: Error) =>
        failures.push(`${name}: ${error.message}`),
      );
    }
    return { checks: storageContract.length, failures };
  },

  open(name: string, durability: Durability = 'relaxed'): void {
    const onProblem = (cause: unknown) => problems.push((cause as Error).name);
    storage = opfsStorage(name, { durability, onProblem });
    storage.onStatus!((status) => statuses.push(status));
  },

  statuses: () => statuses,
  problems: () => problems,

  /** Adds a log record that must be missing. */
  record: (number: number, length = 10, frees = false): Promise<SentResult> =>
    commit({
      expect: [[`log/${number}`, undefined]],
      puts: [[`log/${number}`, noise(length)]],
      deletes: [],
      frees,
    }),

  /** Puts a page, whatever it was, and returns how many of the commits had the outcome `ok`. */
  async overwrite(page: number, length: number, times: number): Promise<number> {
    let stored = 0;
    for (let time = 0; time < times; time++) {
      const value = new Uint8Array(length).fill(time);
      const puts = [[`pages/${page}`, value]] as const;
      if ((await storage.commit({ expect: [], puts, deletes: [] })).outcome === 'ok') stored++;
    }
    return stored;
  },

  /** Adds a number to a counter, so many times, whatever others add. Returns how often it lost. */
  async count(times: number): Promise<number> {
    let lost = 0;
    for (let done = 0; done < times;) {
      const [value] = (await storage.read({ keys: ['log/base'] })).values;
      const next = new Uint8Array(Int32Array.of(1 + valueOf(value)).buffer);
      const puts = [['log/base', next]] as const;
      const { outcome } = await storage.commit({
        expect: [['log/base', value]],
        puts,
        deletes: [],
      });
      if (outcome === 'ok') done++;
      else if (outcome === 'moved') lost++;
      else throw new Error(outcome);
    }
    return lost;
  },

  counted: async () => valueOf((await storage.read({ keys: ['log/base'] })).values[0]),

  deleteRecord: (number: number): Promise<SentResult> =>
    commit({ expect: [], puts: [], deletes: [`log/${number}`], frees: true }),

  /** The numbers of the stored log records. */
  async records(): Promise<number[]> {
    return (await storage.read({ keys: [], recordsAfter: 0 })).records.map(([number]) => number);
  },

  /** The same, while a commit opens the names of the files again. */
  async recordsDuringReopening(): Promise<number[]> {
    const { storage: storages } = navigator;
    const getDirectory = storages.getDirectory.bind(storages);
    let goOn!: () => void;
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    let begin!: () => void;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    storages.getDirectory = async () => {
      begin();
      await mayGoOn;
      return getDirectory();
    };
    // Names that were opened so long ago are opened again.
    const now = performance.now.bind(performance);
    performance.now = () => now() + 2_000;
    const committed = storage.commit({ expect: [], puts: [], deletes: ['log/0'] });
    await begun;
    try {
      return await COMMANDS.records();
    } finally {
      goOn();
      await committed;
    }
  },

  /** The size of a file that two calls open at once. */
  async sizeOfFileOpenedTwice(): Promise<number> {
    const files = await newFiles();
    const made = await files.open('folder/one', 'make');
    await made.write(Uint8Array.of(1, 2, 3), 0);
    await made.close();
    const open = () => files.open('folder/one', 'read');
    const [one, other] = await Promise.all([open(), open()]);
    await one.close();
    const size = await other.size();
    await other.close();
    await files.removeFolder();
    files.close();
    return size;
  },

  /** The first bytes of two files that two calls make at once. */
  async bytesOfFilesMadeAtOnce(): Promise<(number | undefined)[]> {
    const files = await newFiles();
    const paths = ['folder/one', 'folder/two'];
    const made = await Promise.all(paths.map((path) => files.open(path, 'make')));
    for (const [at, file] of made.entries()) await file.write(Uint8Array.of(at), 0);
    const bytes = await Promise.all(
      made.map(async (file) => {
        const into = new Uint8Array(1);
        await file.read(into, 0);
        await file.close();
        return into[0];
      }),
    );
    await files.removeFolder();
    files.close();
    return bytes;
  },

  /** The first byte of a page, and its length. */
  async page(number: number): Promise<[first: number, length: number] | undefined> {
    const [value] = (await storage.read({ keys: [`pages/${number}`] })).values;
    return value && [value[0]!, value.length];
  },

  /** Adds records until it is terminated, and sends the number of each that was acknowledged. */
  async write(from: number): Promise<never> {
    for (let number = from; ; number++) {
      const { outcome } = await COMMANDS.record(number, 5_000);
      if (outcome !== 'ok') throw new Error(`${number}: ${outcome}`);
      self.postMessage({ acknowledged: number });
    }
  },

  /** Adds a record, and then blocks its thread while it still has the files. */
  async recordAndBlock(number: number, milliseconds: number): Promise<SentResult> {
    const result = await COMMANDS.record(number);
    self.postMessage({ acknowledged: number });
    // Nobody wakes it, so it blocks without any work. A page that is not isolated gets memory to
    // wait on from WebAssembly alone.
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    Atomics.wait(new Int32Array(buffer), 0, 0, milliseconds);
    return result;
  },

  close: () => storage.close(),
  destroy: () => storage.destroy(),

  /** The files in the folder of a store, with their sizes; undefined, if there is no folder. */
  async files(name: string): Promise<Record<string, number> | undefined> {
    const folder = await folderOf(name).catch(() => undefined);
    if (!folder) return undefined;
    const sizes: Record<string, number> = {};
    for await (const file of (
      folder as unknown as { values(): AsyncIterable<FileSystemFileHandle> }
    ).values()) {
      sizes[file.name] = (await file.getFile()).size;
    }
    return sizes;
  },

  /** Removes the folder of a store, as a browser does that needs room. */
  async evict(name: string): Promise<void> {
    const root = await navigator.storage.getDirectory();
    await root.removeEntry(`entitable-${name}`, { recursive: true });
  },

  /** Changes a byte of a file, cuts the file, or appends to it. */
  async damage(name: string, file: string, how: Damage): Promise<void> {
    const handle = (await (await folderOf(name)).getFileHandle(file)) as unknown as {
      createSyncAccessHandle(): Promise<FileSystemSyncAccessHandle>;
    };
    const opened = await handle.createSyncAccessHandle();
    const size = opened.getSize();
    if ('flip' in how) {
      const at = how.flip < 0 ? size + how.flip : how.flip;
      const byte = new Uint8Array(1);
      opened.read(byte, { at });
      opened.write(Uint8Array.of(byte[0]! ^ 1), { at });
    } else if ('cut' in how) {
      opened.truncate(size - how.cut);
    } else {
      opened.write(new Uint8Array(how.append).fill(7), { at: size });
    }
    opened.close();
  },
};

/** Positions below 0 count from the end. */
export type Damage = { flip: number } | { cut: number } | { append: number };

const valueOf = (bytes: Uint8Array | undefined) => (bytes ? new Int32Array(bytes.buffer)[0]! : 0);

async function folderOf(name: string): Promise<FileSystemDirectoryHandle> {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(`entitable-${name}`);
}

// https://wicg.github.io/storage-buckets/
interface StorageBuckets {
  open(
    name: string,
    options: { quota: number },
  ): Promise<{
    getDirectory(): Promise<FileSystemDirectoryHandle>;
    estimate(): Promise<StorageEstimate>;
  }>;
  delete(name: string): Promise<void>;
}

interface FileSystemSyncAccessHandle {
  read(into: Uint8Array, options: { at: number }): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  getSize(): number;
  truncate(size: number): void;
  close(): void;
}
