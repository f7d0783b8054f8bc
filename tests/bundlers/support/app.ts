// app.ts - apps that use the packed package as an app outside of this work tree would.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { onTestFinished } from 'vitest';

import { installInto } from '../../package/support/packed.js';

const FOLDER = resolve('tests/bundlers');

/** The text of an app that works. */
export const RESULT = 'Rex, 0 findings, status 200';

/** A tool is a folder with a lock file; its programs run in the folder of an app. */
export interface App {
  readonly folder: string;
  /**
   * Runs a program of the tool to its end, and returns all that it printed. Throws if it failed.
   */
  run(program: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>;
  /** Starts a server, which ends with the test, and returns the first address that it prints. */
  start(program: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>;
}

/** Puts the packed package where `npm install` would. */
export function installPackage(tool: string): void {
  installInto(join(FOLDER, tool));
}

/** Makes an app in a new folder. `source` is the folder of this suite that it is copied from. */
export function makeApp(tool: string, name: string, source = 'app'): App {
  const folder = join(FOLDER, tool, 'build', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(FOLDER, source), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  // Or tools would find that of this work tree, whose paths lead to the sources.
  writeFileSync(join(folder, 'tsconfig.json'), '{}');

  const command = (program: string, args: readonly string[]) =>
    [process.execPath, join(FOLDER, tool, 'node_modules', program), ...args] as const;
  return {
    folder,
    run: (program, args, env) => run(folder, command(program, args), env),
    start: (program, args, env) => start(folder, command(program, args), env),
  };
}

/** A program and its arguments. */
type Command = readonly [string, ...string[]];

/** As `run` of an app. */
export async function run(
  folder: string,
  command: Command,
  env?: NodeJS.ProcessEnv,
): Promise<string> {
  const { exited, onOutput, output } = launch(folder, command, env);
  onOutput(() => {});
  const [code] = await exited;
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}\n${output()}`);
  return output();
}

/** As `start` of an app. */
export function start(folder: string, command: Command, env?: NodeJS.ProcessEnv): Promise<string> {
  const { exited, onOutput, output } = launch(folder, command, env);
  return new Promise((done, failed) => {
    onOutput(() => {
      const address = /https?:\/\/(?:localhost|127\.0\.0\.1|\[::1?\]):\d+\/?/.exec(output())?.[0];
      if (address) done(address.replace(/\[::1?\]|127\.0\.0\.1/, 'localhost'));
    });
    exited.then(() => failed(new Error(`${command.join(' ')} has stopped\n${output()}`)), failed);
  });
}

function launch(folder: string, [program, ...args]: Command, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(program, args, {
    cwd: folder,
    // A group of its own, because tools start processes that outlive them.
    detached: true,
    // Some servers end when their input does.
    stdio: 'pipe',
    env: { ...withoutTests(process.env), ...QUIET, ...env },
  });
  let output = '';
  const exited = once(child, 'close') as Promise<[number | null]>;
  const onOutput = (listener: () => void) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (piece) => ((output += piece), listener()));
    }
  };
  onTestFinished(async () => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
    await exited;
  });
  return { exited, onOutput, output: () => output };
}

const QUIET = { NO_COLOR: '1', FORCE_COLOR: '0', NEXT_TELEMETRY_DISABLED: '1', CI: '1' };

/** Makes the page of an app show the code of a development warning as its title. */
export function useWrongFilter({ folder }: App): void {
  const page = join(folder, 'index.html');
  writeFileSync(page, readFileSync(page, 'utf8').replace('main.js', 'wrong-filter.js'));
}

// Without the variables of Vitest, which change the behaviour of other tools.
function withoutTests(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const mine = ['NODE_ENV', 'TEST', 'DEV', 'PROD', 'MODE', 'SSR', 'BASE_URL', 'NODE_OPTIONS'];
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !mine.includes(name) && !name.startsWith('VITEST')),
  );
}
