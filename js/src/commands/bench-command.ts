/**
 * `entitable bench`: measures an account, on a table of its own.
 *
 * @module
 */

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import process from 'node:process';

import { namesIn } from '../formats/rows.js';
import { AT, CREDENTIAL_NOTE, isLocal, withNewAccount, type ReadAccount } from './account/place.js';
import { isAddress } from './account/remote-options.js';
import { tablesOf } from './account/synced-folder.js';
import { measurements, type BenchLimits, type Measurement } from './bench-measures.js';
import type { CommandContext } from './line/command.js';
import { columnLines } from './column-lines.js';
import { interruptible } from './line/interruptible.js';
import { readOptions, UsageError } from './line/options.js';
import type { ProgressLine } from './line/progress-line.js';
import type { CommandUsage } from './line/usage.js';
import { version } from './line/version.js';

const DEFAULT_ENTITIES = 10_000;
const DEFAULT_SECONDS = 2;
const WIDEST_COLUMN = 40;

/** The usage of the command. */
export const BENCH = {
  summary: 'measures how fast a folder or a storage account is',
  forms: ['--at PLACE [options]'],
  about: [
    'Measures inserts, reads, filters and counts on a table that it creates and deletes. Other ' +
      'tables stay as they are. A folder that is new is removed afterwards.',
  ],
  options: {
    ...AT,
    '--entities': {
      value: 'N',
      text: `how many entities to load at most (default: ${DEFAULT_ENTITIES})`,
    },
    '--seconds': {
      value: 'N',
      text: `how long each measurement takes at most (default: ${DEFAULT_SECONDS})`,
    },
    '--json': { text: 'print JSON Lines: the machine, and an object for each measurement' },
    '--quiet': { text: 'show no progress' },
  },
  notes: [
    'Each call waits for the one before it, so the times include those of the disk or of the ' +
      'network. Writes into a folder are on the disk when they are answered.',
    CREDENTIAL_NOTE,
  ],
} as const satisfies CommandUsage;

/** Runs the command. */
export async function bench(words: readonly string[], context: CommandContext): Promise<number> {
  const options = readOptions(words, BENCH.options);
  const place = options.get('--at');
  const limits = {
    entities: numberOf('--entities', options.get('--entities'), DEFAULT_ENTITIES),
    seconds: numberOf('--seconds', options.get('--seconds'), DEFAULT_SECONDS),
  };
  const isJson = options.has('--json');
  const isNewFolder = place !== undefined && !isAddress(place) && !existsSync(place);
  const hint = 'its table was deleted, and nothing else was changed';
  return interruptible(options.has('--quiet'), context, hint, async (line, signal) => {
    await withNewAccount(place, context.environment, async (account) => {
      await context.write(isJson ? JSON.stringify(machine(account)) : machineLine(account));
      const results = await measuredIn(account, { ...limits, signal }, line, async (result) => {
        if (isJson) await context.write(JSON.stringify(result));
      });
      if (!isJson) for (const text of shown(results)) await context.write(text);
    });
    if (isNewFolder) await rm(place, { recursive: true, force: true });
    return 0;
  });
}

function numberOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new UsageError(`${name} takes a number from 1 to 9999999`);
}

async function measuredIn(
  account: ReadAccount,
  limits: BenchLimits,
  line: ProgressLine,
  tell: (result: Measurement) => Promise<void>,
): Promise<Measurement[]> {
  const name = `EntitableBench${randomBytes(6).toString('hex')}`;
  // No name of 48 random bits is there twice; a table that is there is never deleted.
  if ((await tablesOf(account)).some((one) => one.toLowerCase() === name.toLowerCase())) {
    throw new Error(`there is a table ${name} already: run the command again`);
  }
  await account.createTable(name);
  try {
    const results: Measurement[] = [];
    for await (const result of measurements(account.tableClient(name), limits)) {
      results.push(result);
      line.show(`measured: ${result.name}`);
      await tell(result);
    }
    return results;
  } finally {
    line.clear();
    await account.deleteTable(name);
  }
}

function machine(account: ReadAccount) {
  return {
    entitable: version(),
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    processors: cpus().length,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryBytes: totalmem(),
    place: isLocal(account) ? 'folder' : 'storage account',
  };
}

function machineLine(account: ReadAccount): string {
  const { entitable, node, system, processors, processor, memoryBytes, place } = machine(account);
  const memory = `${(memoryBytes / 2 ** 30).toFixed(1)} GiB`;
  return `Entitable ${entitable}, Node ${node}, ${system}, ${processors} × ${processor}, ${memory}; a ${place}`;
}

function shown(results: readonly Measurement[]): string[] {
  const rows = results.map((one) => ({
    measurement: one.name,
    calls: one.calls,
    'calls/s': one.callsPerSecond,
    'entities/s': one.entitiesPerSecond,
    'p50 ms': one.p50,
    'p95 ms': one.p95,
    'p99 ms': one.p99,
  }));
  return columnLines(namesIn(rows), rows, WIDEST_COLUMN);
}
