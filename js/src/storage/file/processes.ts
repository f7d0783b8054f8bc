/**
 * Who is running: a process is known by its id and the time of its start, because ids are
 * used again, and in a container by the first process of every start.
 *
 * @module
 */

import { readFileSync } from 'node:fs';
import process from 'node:process';

import { crc32c } from './crc32c.js';

export interface ProcessName {
  readonly pid: number;

  /** Letters, digits, `_` and `-`. */
  readonly started: string;
}

export interface Processes {
  readonly self: ProcessName;

  /** Tells one run of the system from another, which begins without what was not on the disk. 0: not known. */
  readonly boot: number;

  /** If in doubt: true. */
  lives(name: ProcessName): Promise<boolean>;
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

// Two threads of one process may round it differently.
const TOLERANCE_SECONDS = 2;

/** Those of this machine, or of this container. */
export function processesHere(): Processes {
  const { pid } = process;
  return {
    self: { pid, started: startedByProc(pid) ?? startedByClock() },
    boot: bootByProc(),
    lives: async (name) => (isByClock(name) ? livesBySignal(name) : livesByProc(name)),
  };
}

function livesByProc(name: ProcessName): boolean {
  // Not allowed to look, it seems.
  if (startedByProc(process.pid) === undefined) return livesBySignal(name);
  return startedByProc(name.pid) === name.started;
}

// Linux: ticks from the boot to the start, and which boot.  Undefined for a process that
// is gone, and on other systems.
function startedByProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; after it come fields 3 (state) and on.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has let go of all it had.
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const boot = readFileSync(BOOT_ID, 'utf8').slice(0, 8);
    return `${fields[19]}-${boot}`;
  } catch {
    return undefined;
  }
}

// Linux only.
function bootByProc(): number {
  try {
    return crc32c(readFileSync(BOOT_ID));
  } catch {
    return 0;
  }
}

function startedByClock(): string {
  return `c${Math.round(Date.now() / 1000 - process.uptime())}`;
}

function isByClock({ started }: ProcessName): boolean {
  return started.startsWith('c');
}

// Where nothing tells when another process started, one with the same id is taken for it.
function livesBySignal(name: ProcessName): boolean {
  if (name.pid === process.pid && isByClock(name)) {
    const seconds = ({ started }: ProcessName) => Number(started.slice(1));
    const ours = { pid: process.pid, started: startedByClock() };
    return Math.abs(seconds(name) - seconds(ours)) <= TOLERANCE_SECONDS;
  }
  try {
    return process.kill(name.pid, 0);
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
