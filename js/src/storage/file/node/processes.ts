/**
 * The processes of this machine. A process has an id and a start time, because ids are used again,
 * and in a container the first process always has the same id.
 *
 * @module
 */

import { readFileSync } from 'node:fs';
import process from 'node:process';

import { crc32c } from '../crc32c.js';

export interface ProcessName {
  readonly pid: number;

  /** Letters, digits, `_` and `-`. */
  readonly started: string;
}

export interface Processes {
  readonly self: ProcessName;

  /**
   * Identifies the run of the operating system: each run loses the bytes that were not on the disk.
   * 0: not known.
   */
  readonly boot: number;

  /** If in doubt: true. */
  lives(name: ProcessName): Promise<boolean>;
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

// Two threads of one process may round it differently.
const TOLERANCE_SECONDS = 2;

/** The processes of this machine or container. */
export function processesHere(): Processes {
  const { pid } = process;
  return {
    self: { pid, started: startedByProc(pid) ?? startedByClock() },
    boot: bootByProc(),
    lives: async (name) => (isByClock(name) ? livesBySignal(name) : livesByProc(name)),
  };
}

function livesByProc(name: ProcessName): boolean {
  // Probably without the permission to read it.
  if (startedByProc(process.pid) === undefined) return livesBySignal(name);
  return startedByProc(name.pid) === name.started;
}

// Linux: ticks from the boot to the start, and which boot. Undefined for a process that has ended,
// and on other systems.
function startedByProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may have any character. The fields from 3 (state) on come after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie process has released everything.
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

// Without a start time, a process with the same id counts as the same.
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
