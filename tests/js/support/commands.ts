// commands.ts - commands of the command line in this process, and files and folders for them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { COMMANDS } from '../../../js/src/commands/commands.js';
import { UsageError } from '../../../js/src/commands/line/options.js';

export interface Outcome {
  readonly code: number;
  readonly lines: readonly string[];
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs `entitable NAME` to its end. What it complains of comes behind its lines. */
export async function run(name: string, ...words: readonly string[]): Promise<Outcome> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const write = (line: string) => Promise.resolve(print(line));
  const before = SIGNALS.map((signal) => process.listeners(signal));
  try {
    const code = await COMMANDS[name]!.run(words, { print, write, complain: print });
    return { code, lines };
  } catch (error) {
    return {
      code: error instanceof UsageError ? 2 : 1,
      lines: [...lines, (error as Error).message],
    };
  } finally {
    // A command waits for signals until its process ends.
    for (const [at, signal] of SIGNALS.entries()) {
      const added = process.listeners(signal).filter((one) => !before[at]!.includes(one));
      for (const listener of added) process.off(signal, listener);
    }
  }
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'entitable-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a file of these bytes, or of a text in UTF-8. */
export function newFile(name: string, content: string | Uint8Array): string {
  const path = join(newFolder(), name);
  writeFileSync(path, content);
  return path;
}
