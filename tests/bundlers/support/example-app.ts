// example-app.ts - the apps of examples/, outside of this work tree, beside the packed package.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { onTestFinished } from 'vitest';

import { installInto } from '../../package/support/packed.js';
import { run, start } from './app.js';

/** An app whose scripts run in its own folder. */
export interface ExampleApp {
  readonly folder: string;
  /** Runs a script of its package.json to its end, and returns all that it printed. */
  run(script: string): Promise<string>;
  /** Starts a script, which ends with the test, and returns the first address that it prints. */
  start(script: string, ...args: string[]): Promise<string>;
}

/** A new folder outside of this work tree, until the test ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'entitable-example-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A copy of an app of examples/, installed. */
export function copyExample(name: string): ExampleApp {
  const folder = join(newFolder(), name);
  cpSync(join('examples', name), folder, { recursive: true });
  return installedIn(folder);
}

/**
 * Puts what the package.json in this folder names where `npm install` would, and nothing else: the
 * packed package, and links to the packages of this work tree, whose versions are the same
 * (tests/scripts/examples.test.ts).
 */
export function installedIn(folder: string): ExampleApp {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string> | undefined>;
  const modules = join(folder, 'node_modules');
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    if (name === 'entitable') continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(modules, name));
  }
  symlinkSync(resolve('node_modules/.bin'), join(modules, '.bin'));
  installInto(folder);
  // Tools write into the folder of the user, and ask for newer versions of themselves.
  const env = { HOME: folder, WRANGLER_SEND_METRICS: 'false', npm_config_update_notifier: 'false' };
  return {
    folder,
    run: (script) => run(folder, ['npm', 'run', script], env),
    start: (script, ...args) => start(folder, ['npm', 'run', script, '--', ...args], env),
  };
}
