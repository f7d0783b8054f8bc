// commands.ts - the program `entitable` in this process, and files and folders for it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished } from 'vitest';

import type { Environment } from '../../../js/src/commands/account/remote-options.js';
import { outputOn, type OutputStream } from '../../../js/src/commands/line/terminal.js';
import { runProgram } from '../../../js/src/commands/program.js';
import { DEVELOPMENT_ACCOUNT } from '../../../js/src/http/development-account.js';

const { key: KEY } = DEVELOPMENT_ACCOUNT;

export interface Outcome {
  /** Null after a signal. */
  readonly code: number | null;
  readonly lines: string[];
  readonly errors: string;
}

export interface Surroundings {
  /** The variables; by default, the key of the emulator. */
  readonly environment?: Environment;
  readonly isTTY?: boolean;
}

/** Runs `entitable` to its end. */
export async function entitable(...words: string[]): Promise<Outcome> {
  return await entitableIn({}, ...words);
}

/** The same in other surroundings. */
export async function entitableIn(
  { environment = { AZURE_STORAGE_KEY: KEY }, isTTY }: Surroundings,
  ...words: string[]
): Promise<Outcome> {
  const pieces: Record<'said' | 'errors', string[]> = { said: [], errors: [] };
  const streamTo = (list: string[]): OutputStream => ({
    isTTY,
    write(text, done) {
      list.push(text);
      done?.();
    },
  });
  const output = outputOn(streamTo(pieces.said), streamTo(pieces.errors));
  const code = await runProgram(words, { ...output, environment });
  return outcome(code, pieces.said.join(''), pieces.errors.join(''), words[0] === 'sas');
}

/** What the program has done. It writes no key, and only `sas` writes a signature. */
export function outcome(
  code: number | null,
  text: string,
  errors: string,
  isSigning = false,
): Outcome {
  expect(text + errors).not.toContain(KEY);
  if (!isSigning) expect(text + errors).not.toContain('sig=');
  return { code, lines: text.split('\n').slice(0, -1), errors };
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
