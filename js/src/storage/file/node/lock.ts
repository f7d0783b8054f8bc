/**
 * The lock of a folder: one process at a time. A process that wants it makes a file with a name of
 * its own, which identifies it, and then reads which other files there are. So no process removes
 * the lock of a living process, and of two that try at once at most one gets it.
 *
 * @module
 */

import { TableError } from '../../../base/errors.js';
import type { FileSystem } from '../file-system.js';
import type { Lock } from '../store-folder.js';
import type { ProcessName, Processes } from './processes.js';

// The names of all lock files begin with this.
const LOCK_PREFIX = 'entitable.lock.';

// Two processes that try at once both step back, and try again a few times.
const ATTEMPTS = 5;
const MAX_PAUSE_MS = 20;

/**
 * Takes the lock of the folder, and removes the locks of processes that have ended.
 *
 * @throws {@link TableError} `StorageUnavailable`, if a living process has it.
 */
export async function takeLock(
  fileSystem: FileSystem,
  processes: Processes,
  folder: string,
): Promise<Lock> {
  for (let attempt = 1; ; attempt++) {
    const name = nameFor(processes.self);
    const release = () => fileSystem.remove(fileSystem.pathOf(folder, name));
    let holder;
    try {
      await (await fileSystem.open(fileSystem.pathOf(folder, name), 'make')).close();
      holder = await otherHolder(fileSystem, processes, folder, name);
    } catch (cause) {
      // The file would lock out this process until it ends.
      await release().catch(() => undefined);
      throw cause;
    }
    if (!holder) return { release };
    await release();
    if (attempt === ATTEMPTS) throw heldBy(holder, processes.self, folder);
    await pause(Math.random() * MAX_PAUSE_MS * attempt);
  }
}

function nameFor({ pid, started }: ProcessName): string {
  return `${LOCK_PREFIX}${pid}.${started}.${crypto.randomUUID()}`;
}

async function otherHolder(
  fileSystem: FileSystem,
  processes: Processes,
  folder: string,
  ours: string,
): Promise<{ process: ProcessName; name: string } | undefined> {
  for (const name of await fileSystem.namesIn(folder)) {
    const found = /^entitable\.lock\.(\d+)\.([\w-]+)\.[\da-f-]+$/.exec(name);
    if (!found || name === ours) continue;
    const process = { pid: Number(found[1]), started: found[2]! };
    if (await processes.lives(process)) return { process, name };
    await fileSystem.remove(fileSystem.pathOf(folder, name));
  }
  return undefined;
}

function heldBy(
  { process, name }: { process: ProcessName; name: string },
  self: ProcessName,
  folder: string,
): TableError {
  const who =
    process.pid === self.pid
      ? `this process (${process.pid}), in another thread or by another copy of this package`
      : `process ${process.pid}`;
  return new TableError(
    'StorageUnavailable',
    `${folder} is in use by ${who}; one process at a time can open it. ` +
      `If there is no such process any more, remove the file ${name}.`,
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
