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

  const launch = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const path = join(FOLDER, tool, 'node_modules', program);
    const child = spawn(process.execPath, [path, ...args], {
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
  };

  return {
    folder,
    async run(program, args, env) {
      const { exited, onOutput, output } = launch(program, args, env);
      onOutput(() => {});
      const [code] = await exited;
      if (code !== 0)
        throw new Error(`${program} ${args.join(' ')} ended with ${code}\n${output()}`);
      return output();
    },
    start(program, args, env) {
      const { exited, onOutput, output } = launch(program, args, env);
      return new Promise((done, failed) => {
        onOutput(() => {
          const address = /https?:\/\/(?:localhost|127\.0\.0\.1|\[::1?\]):\d+\/?/.exec(
            output(),
          )?.[0];
          if (address) done(address.replace(/\[::1?\]|127\.0\.0\.1/, 'localhost'));
        });
        exited.then(() => failed(new Error(`${program} has stopped\n${output()}`)), failed);
      });
    },
  };
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
