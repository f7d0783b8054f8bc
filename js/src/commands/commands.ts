/**
 * The commands, each with its usage.
 *
 * @module
 */

import { stat } from 'node:fs/promises';

import { nearestName } from '../base/nearest.js';
import { placeOf } from './account/remote-options.js';
import { forgetFolder } from './account/synced-folder.js';
import { bench, BENCH } from './bench-command.js';
import { copy, COPY } from './copy-command.js';
import { DELETE, get, GET, remove } from './entity-commands.js';
import { EXPORT, exportTables } from './export-command.js';
import { importFiles } from './import/import-command.js';
import { IMPORT } from './import/import-usage.js';
import type { Command, Output } from './line/command.js';
import { completion, COMPLETION } from './line/completion.js';
import { interruptible } from './line/interruptible.js';
import { readOptions, UsageError } from './line/options.js';
import { usageOf } from './line/usage.js';
import { FORGET, MOVES, parseForget, parseMove, type MoveCommand } from './move/move-arguments.js';
import { move } from './move/move.js';
import { counted, reportResolved } from './move/table-move.js';
import { explain, EXPLAIN } from './query/explain-command.js';
import { QUERY } from './query/query-usage.js';
import { query } from './query/query.js';
import { REPAIR, repair, VERIFY, verify } from './recovery-commands.js';
import { reshard, RESHARD } from './reshard.js';
import { SAS, sas } from './sas-command.js';
import { serve } from './serve/serve-command.js';
import { SERVE } from './serve/serve-usage.js';
import { create, CREATE, drop, DROP, tables, TABLES } from './tables.js';

/** The commands, by their names. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: { usage: SERVE, run: serve },
  tables: { usage: TABLES, run: tables, onlyPrints: true },
  create: { usage: CREATE, run: create },
  drop: { usage: DROP, run: drop },
  get: { usage: GET, run: get, onlyPrints: true },
  delete: { usage: DELETE, run: remove },
  query: { usage: QUERY, run: query, onlyPrints: true },
  explain: { usage: EXPLAIN, run: explain, onlyPrints: true },
  import: { usage: IMPORT, run: importFiles },
  export: { usage: EXPORT, run: exportTables, onlyPrints: true },
  copy: { usage: COPY, run: copy },
  pull: { usage: MOVES.pull, run: moving('pull') },
  push: { usage: MOVES.push, run: moving('push') },
  sync: { usage: MOVES.sync, run: moving('sync') },
  forget: { usage: FORGET, run: forget },
  verify: { usage: VERIFY, run: verify, onlyPrints: true },
  repair: { usage: REPAIR, run: repair },
  bench: { usage: BENCH, run: bench },
  sas: { usage: SAS, run: sas, onlyPrints: true },
  reshard: { usage: RESHARD, run: reshard },
  completion: {
    usage: COMPLETION,
    onlyPrints: true,
    run: (words, output) => completion(words, output, COMMANDS),
  },
  help: {
    usage: {
      summary: 'prints the options of a command',
      forms: ['[COMMAND]'],
      options: {},
      get words() {
        return Object.keys(COMMANDS);
      },
    },
    run: help,
    onlyPrints: true,
  },
};

/** The names of the commands, for an error, and the one that was probably meant. */
export function commandNames(given: string): string {
  const names = Object.keys(COMMANDS);
  const nearest = nearestName(given, names);
  return names.join(', ') + (nearest === undefined ? '' : `; did you mean ${nearest}?`);
}

/** The usage of a command; without a name that there is, of the program. */
export function usage(name: string): string {
  if (Object.hasOwn(COMMANDS, name)) return usageOf(name, COMMANDS[name]!.usage);
  const widest = Math.max(...Object.keys(COMMANDS).map((one) => one.length));
  const list = Object.entries(COMMANDS).map(
    ([
      one,
      {
        usage: { summary },
      },
    ]) => `  ${one.padEnd(widest)}  ${summary}`,
  );
  return `entitable COMMAND [options]

${list.join('\n')}

  COMMAND --help   print the options of a command
  --version        print the version`;
}

// A sync takes the address in either option.
const URL_OPTIONS = { pull: '--from', push: '--to', sync: '--from or --to' } as const;

function moving(command: MoveCommand): Command['run'] {
  return async (words, { print, write, complain, environment }) => {
    const given = parseMove(command, words);
    const wanted = `${URL_OPTIONS[command]}, with the address of a storage account`;
    const place = placeOf(given.url, environment, wanted);
    const hint = 'the same command goes on from here';
    return interruptible(given.isQuiet, { complain }, hint, async (line, signal) => {
      const tell = (text: string) => {
        line.clear();
        print(text);
      };
      const record = (text: string) => {
        line.clear();
        return write(text);
      };
      const output = { print: given.isQuiet ? () => {} : tell, tell, record, show: line.show };
      return (await move(given, place, output, signal)) ? 0 : 1;
    });
  };
}

async function help(words: readonly string[], { write }: Output): Promise<number> {
  const [name, ...more] = readOptions(words, {}, true).operands;
  if ((name !== undefined && !Object.hasOwn(COMMANDS, name)) || more.length > 0) {
    throw new UsageError(`help takes one of ${commandNames(name ?? '')}`);
  }
  await write(usage(name ?? ''));
  return 0;
}

async function forget(words: readonly string[], { print, write }: Output): Promise<number> {
  const folder = parseForget(words);
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new Error(`there is no folder ${folder}`);
  }
  const { tables, unsent } = await forgetFolder(folder, (table, steps) =>
    reportResolved(steps, (text) => write(`${table}: ${text}`)),
  );
  print(tables.length > 0 ? `not synced any more: ${tables.join(', ')}` : 'no table was synced');
  const were = unsent === 1 ? 'entity was' : 'entities were';
  if (unsent > 0) print(`${counted(unsent)} ${were} not sent`);
  return 0;
}
