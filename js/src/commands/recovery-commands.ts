/**
 * `entitable verify` and `entitable repair`: checks the store of a folder, and saves what is
 * readable of it.
 *
 * @module
 */

import { readdir } from 'node:fs/promises';

import { exportAll, importAll } from '../archive.js';
import { openWith } from '../client/open-account.js';
import { repair as repairStore, verify as verifyStore, type Finding } from '../recovery.js';
import { SERVER_MODULE } from '../server/server-module.js';
import { fileStorage } from '../storage/file.js';
import { inAccount } from './account/place.js';
import { checkAccountIn } from './account/synced-folder.js';
import type { Output } from './line/command.js';
import { interruptible } from './line/interruptible.js';
import { readOptions, UsageError } from './line/options.js';
import type { CommandUsage } from './line/usage.js';
import { counted } from './move/table-move.js';

const FOLDER = { value: 'FOLDER', text: 'the folder of the account' } as const;
const JSON_OPTION = { text: 'print JSON Lines: an object for each fault, and a last one' } as const;

/** The usage of `entitable verify`. */
export const VERIFY = {
  summary: 'reads every value of a folder, and reports damage',
  forms: ['--at FOLDER [options]'],
  about: ['Reads every value of the store once, and prints a line for each fault.'],
  options: {
    '--at': FOLDER,
    '--json': JSON_OPTION,
    '--quiet': { text: 'show no progress' },
  },
  notes: ['It ends with 0 if there is no fault, and with 1 if there is one.'],
} as const satisfies CommandUsage;

/** The usage of `entitable repair`. */
export const REPAIR = {
  summary: 'saves what is readable of a damaged folder into another one',
  forms: ['--at FOLDER --to FOLDER [options]'],
  about: [
    'Copies all readable entities into a new folder, with their timestamps, and prints a line for ' +
      'each fault. Nothing is written into the damaged folder.',
  ],
  options: {
    '--at': { value: 'FOLDER', text: 'the damaged folder' },
    '--to': { value: 'FOLDER', text: 'a new or an empty folder' },
    '--json': JSON_OPTION,
    '--quiet': { text: 'show no progress' },
  },
  notes: ['It ends with 0 if no entity is lost, and with 1 if some may be lost.'],
} as const satisfies CommandUsage;

/** Runs `entitable verify`. */
export async function verify(words: readonly string[], output: Output): Promise<number> {
  const options = readOptions(words, VERIFY.options);
  const folder = options.get('--at');
  if (folder === undefined) throw new UsageError('verify takes --at FOLDER');
  await checkAccountIn(folder);
  const isJson = options.has('--json');
  return interruptible(options.has('--quiet'), output, UNCHANGED, async (line, abortSignal) => {
    const storage = fileStorage(folder);
    try {
      const findings = await verifyStore(storage, {
        abortSignal,
        onProgress: (values) => line.show(`${counted(values)} values read`),
      });
      line.clear();
      await report(findings, isJson, output);
      const text = findings.length === 0 ? 'no fault' : faults(findings);
      await output.write(isJson ? JSON.stringify({ faults: findings.length }) : text);
      return findings.length === 0 ? 0 : 1;
    } finally {
      await storage.close();
    }
  });
}

/** Runs `entitable repair`. */
export async function repair(words: readonly string[], output: Output): Promise<number> {
  const options = readOptions(words, REPAIR.options);
  const [folder, to] = [options.get('--at'), options.get('--to')];
  if (folder === undefined || to === undefined) {
    throw new UsageError('repair takes --at FOLDER --to FOLDER');
  }
  await checkAccountIn(folder);
  if ((await readdir(to).catch(() => [])).length > 0) throw new Error(`${to} is not empty`);
  const isJson = options.has('--json');
  return interruptible(options.has('--quiet'), output, AGAIN, async (line, abortSignal) => {
    const damaged = fileStorage(folder);
    const { storage, findings, named } = await repairStore(damaged, {
      abortSignal,
      onProgress: (values) => line.show(`${counted(values)} values read`),
    });
    const account = await openWith(SERVER_MODULE, { storage });
    try {
      const { stored } = await inAccount(to, (target) =>
        importAll(target, exportAll(account), {
          abortSignal,
          onProgress: (progress) => line.show(`${counted(progress.stored)} lines saved`),
        }),
      );
      line.clear();
      await report(findings, isJson, output);
      const done = { faults: findings.length, named, lines: stored };
      const renamed = named.length > 0 ? `; tables without a name are ${named.join(', ')}` : '';
      const text = `${faults(findings)}; all readable entities are in ${to}${renamed}`;
      await output.write(isJson ? JSON.stringify(done) : text);
      return findings.some(({ lossy }) => lossy) ? 1 : 0;
    } finally {
      await account.close();
    }
  });
}

const UNCHANGED = 'nothing was changed; run it again';
const AGAIN = 'run it again, into another folder';

const faults = ({ length }: readonly Finding[]) =>
  `${counted(length)} ${length === 1 ? 'fault' : 'faults'}`;

async function report(findings: readonly Finding[], isJson: boolean, { write }: Output) {
  for (const finding of findings) {
    const { key, kind, flaw, message, lossy } = finding;
    const loss = lossy ? '; entities may be lost' : '';
    await write(isJson ? JSON.stringify(finding) : `${key}: ${kind} ${flaw}${loss}: ${message}`);
  }
}
