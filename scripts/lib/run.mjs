// run.mjs - starts other programs, and finds them.

import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

import { Problem } from './terminal.mjs';

/**
 * Runs a program to its end and returns { status, output }.  `output` holds both
 * streams; nothing of it is printed unless `live` is set.
 */
export function attempt(command, args, { cwd, env, live = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: live ? ['inherit', 2, 2] : ['ignore', 'pipe', 'pipe'],
    });
    const chunks = [];
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ status: code ?? signal, output: Buffer.concat(chunks).toString() }),
    );
  });
}

/** Like attempt(), but any status other than 0 is a Problem that shows all the output. */
export async function run(command, args, options = {}) {
  const { status, output } = await attempt(command, args, options);
  if (status === 0) return output;
  throw new Problem(
    `${[command, ...args].join(' ')} ended with ${status}\n${output}`,
    options.remedy,
  );
}

/** The path of a program, or undefined when no folder of PATH has it. */
export function which(program, path = process.env.PATH) {
  for (const folder of path.split(delimiter)) {
    try {
      const file = join(folder, program);
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
