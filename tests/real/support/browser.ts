// browser.ts - starts a browser with a profile as a group of processes, and kills the whole group.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, onTestFinished } from 'vitest';

import { openTabs } from './chromium.js';
import { commandFor, type Command, type EngineName } from './engines.js';

export interface Browser {
  readonly profile: string;

  /** The ids of its processes with this program. */
  processes(program: string): number[];

  /** Kills all processes, and resolves when they have ended. May be called again. */
  kill(): Promise<void>;
}

/** Makes a folder for the data of a browser. It is removed after the test. */
export function freshProfile(): string {
  const profile = makeProfile();
  onTestFinished(() => removeProfile(profile));
  return profile;
}

const makeProfile = () => mkdtempSync(join(tmpdir(), 'entitable-profile-'));

// Helper processes of a killed browser may still write there.
const removeProfile = (profile: string) =>
  rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });

/**
 * Returns a function that opens tabs until the end of a test. In Chromium, tests of a file share a
 * browser, because its start takes longer than most of them. They share no storage, because each
 * has a site of its own.
 */
export function useTabs() {
  let shared: Promise<Browser> | undefined;
  afterAll(async () => {
    const browser = await shared;
    await browser?.kill();
    if (browser) removeProfile(browser.profile);
  });
  return async (engine: EngineName, urls: readonly string[]): Promise<void> => {
    if (engine !== 'chromium') return void (await startBrowser(engine, freshProfile(), urls));
    const { profile } = await (shared ??= startShared());
    onTestFinished(await openTabs(profile, urls));
  };
}

async function startShared(): Promise<Browser> {
  const profile = makeProfile();
  return launch(await commandFor('chromium', profile, ['about:blank']), profile);
}

/**
 * Starts a browser with a tab for each address. It is killed at the end of the test, if not before.
 */
export async function startBrowser(
  engine: EngineName,
  profile: string,
  urls: readonly string[],
): Promise<Browser> {
  return startCommand(await commandFor(engine, profile, urls), profile);
}

/** Starts a browser with this command. It is killed at the end of the test, if not before. */
export async function startCommand(command: Command, profile: string): Promise<Browser> {
  const browser = await launch(command, profile);
  onTestFinished(browser.kill);
  await command.openMore?.();
  return browser;
}

async function launch({ program, parameters, env }: Command, profile: string): Promise<Browser> {
  // A group of its own, so that its children can be killed with it.
  const child = spawn(program, parameters, {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...env },
  });
  const exit = once(child, 'exit');
  await once(child, 'spawn');
  const group = child.pid!;
  const kill = async () => {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // All processes have ended already.
    }
    await exit;
  };
  return { profile, kill, processes: (name) => processesOf(group, name) };
}

function processesOf(group: number, program: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const { name, processGroup } = statusOf(pid);
      // The system cuts names at 15 characters.
      return processGroup === group && name === program.slice(0, 15);
    });
}

// "pid (name) state parent group ...": proc_pid_stat(5).
function statusOf(pid: number): { name?: string; processGroup?: number } {
  try {
    const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))!;
    return { name: name!, processGroup: Number(rest!.split(' ')[2]) };
  } catch {
    return {}; // The process has ended.
  }
}
