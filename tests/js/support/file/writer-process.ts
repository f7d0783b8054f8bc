// writer-process.ts - a process that writes into a store, reports what was acknowledged, and is
// killed at some moment.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { build } from 'esbuild';

import type { Durability } from '../../../../js/src/storage/page-storage.js';
import { freshFolder } from '../file-storages.js';

/** The command that runs a script, with what comes before its path. */
export type Runtime = readonly string[];

export interface Writer {
  readonly pid: number;

  /** How many commits it has reported. */
  count(): number;

  /** Resolves when it has reported `number` commits; rejects if it ends before. */
  acknowledged(number: number): Promise<void>;

  /** Resolves when it is gone, with the last commit that it reported. */
  kill(): Promise<number>;
}

let script: Promise<string> | undefined;

// One script for all runtimes, made of the sources.
function writerScript(): Promise<string> {
  return (script ??= (async () => {
    const path = join(freshFolder(), 'writer.mjs');
    await build({
      entryPoints: [new URL('writer.ts', import.meta.url).pathname],
      outfile: path,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['node:*'],
      logLevel: 'error',
    });
    return path;
  })());
}

/** Starts one that goes on where the store is. */
export async function startWriter(
  folder: string,
  durability: Durability,
  runtime: Runtime = [process.execPath],
): Promise<Writer> {
  const [program, ...options] = runtime;
  const parameters = [...options, await writerScript(), folder, durability];
  const child = spawn(program!, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
  return watch(child);
}

function watch(child: ChildProcess): Writer {
  let [last, count, errors] = [0, 0, ''];
  const waiting = new Map<number, () => void>();
  const exit = once(child, 'close');
  child.stderr!.on('data', (text) => (errors += text));
  createInterface({ input: child.stdout! }).on('line', (line) => {
    last = Number(line);
    waiting.get(++count)?.();
  });
  return {
    pid: child.pid!,
    count: () => count,
    async acknowledged(number) {
      if (count >= number) return;
      const received = new Promise<void>((resolve) => waiting.set(number, resolve));
      const ended = exit.then(() => Promise.reject(new Error(`The writer has ended: ${errors}`)));
      ended.catch(() => undefined);
      await Promise.race([received, ended]);
    },
    async kill() {
      child.kill('SIGKILL');
      await exit;
      if (errors) throw new Error(errors);
      return last;
    },
  };
}
