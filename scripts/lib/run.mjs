// run.mjs - runs and finds other programs.

import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { accessSync, constants as files } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

import { Problem, progress } from './terminal.mjs';

const background = new AsyncLocalStorage();

/** Does `work`. Its programs run with low priority. */
export function inBackground(work) {
  return background.run(true, work);
}

/**
 * Runs a program to its end and returns { status, output }. `output` has both streams. `onLine` is
 * called with each of their lines. `signal` ends the program, and those that it has started.
 */
export function attempt(command, args, { cwd, env, onLine = showNinja, signal } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // With a group of its own, whose members end together.
      detached: signal !== undefined,
    });
    signal?.addEventListener('abort', () => process.kill(-child.pid, 'SIGKILL'), { once: true });
    if (background.getStore() && child.pid) {
      setPriority(child.pid, constants.priority.PRIORITY_LOW);
    }
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => chunks.push(chunk));
      createInterface({ input: stream }).on('line', onLine);
    }
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ status: code ?? signal, output: Buffer.concat(chunks).toString() }),
    );
  });
}

// Ninja begins its lines with its progress: `[12/130] Building CXX object ...`.
function showNinja(line) {
  const [, done] = /^\[(\d+\/\d+)\] /.exec(line) ?? [];
  if (done) progress(done);
}

/** Like attempt(), but throws a Problem with all output if the status is not 0. */
export async function run(command, args, options = {}) {
  const { status, output } = await attempt(command, args, options);
  if (status === 0) return output;
  throw new Problem(
    `${[command, ...args].join(' ')} ended with ${status}\n${output}`,
    options.remedy,
  );
}

/** The path of a program, or undefined if no folder of PATH has it. */
export function which(program, path = process.env.PATH) {
  for (const folder of path.split(delimiter)) {
    try {
      const file = join(folder, program);
      accessSync(file, files.X_OK);
      return file;
    } catch {
      // The program is not in this folder.
    }
  }
  return undefined;
}
