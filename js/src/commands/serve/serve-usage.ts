/**
 * The usage of `entitable serve`.
 *
 * @module
 */

import type { OptionTable } from '../line/options.js';
import type { CommandUsage } from '../line/usage.js';

const PLACES = {
  '--data': {
    value: 'DIR',
    text: 'keep the account in this folder; each of several has a folder in it',
    aliases: ['--location', '-l'],
  },
  '--postgres': {
    value: 'URL',
    text:
      'keep it in this PostgreSQL database: postgres://USER@HOST:PORT/DATABASE; several processes ' +
      'may serve it (the password: PGPASSWORD, or in the URL)',
  },
  '--postgres-connections': {
    value: 'N',
    text: 'with --postgres: how many connections this process opens at most (default: 10)',
  },
  '--in-memory': { text: 'keep it until the server stops', aliases: ['--inMemoryPersistence'] },
  '--max-bytes': {
    value: 'N',
    text:
      'with --in-memory: limit of stored bytes, of each account (default, for all: a quarter of ' +
      'the memory of the machine or container, and at most half of what is free)',
  },
  '--max-memory': {
    value: 'N',
    text:
      'limit of the memory for requests, answers and cached pages together, in bytes, of each ' +
      'account (default: 4294967296; at least 67108864)',
  },
  '--relaxed': {
    text: 'with --data: answer before the disk has it; a power cut may lose the last writes',
  },
} as const satisfies OptionTable;

const ADDRESS = {
  '--port': {
    value: 'N',
    text: 'where to listen; 10002 if not given, any free port if 0',
    aliases: ['--tablePort'],
  },
  '--host': {
    value: 'ADDRESS',
    text: '127.0.0.1 if not given, so that only this machine is served',
    aliases: ['--tableHost'],
  },
  '--disableProductStyleUrl': {
    text: 'do not serve addresses whose host names the account: ACCOUNT.table.HOST',
  },
  '--allow-host': {
    value: 'NAMES',
    text:
      "host names to accept beside this machine's, separated by commas (default: none on " +
      '127.0.0.1, all elsewhere)',
  },
} as const satisfies OptionTable;

const ACCESS = {
  '--account': {
    value: 'NAME',
    text:
      'the account; if not given, those of the variable AZURITE_ACCOUNTS ' +
      '(name1:key1:key2;name2:key1), else that of the emulator',
  },
  '--account-key': {
    value: 'KEY',
    text: 'its key in Base64, which goes with --account; --key without --cert is the same',
  },
  '--cert': { value: 'FILE', text: 'serve HTTPS with this certificate' },
  '--key': { value: 'FILE', text: 'with --cert: its key in PEM' },
  '--pwd': {
    value: 'PASSWORD',
    text: 'with --cert: the password of a PFX file, which has the key',
  },
  '--oauth': {
    value: 'basic',
    text: 'with --cert: accept bearer tokens; their signatures are not checked',
  },
  '--loose': { text: 'accept requests without a signature' },
} as const satisfies OptionTable;

/**
 * Options of the emulator that change nothing here: of services and of a log that there are not,
 * and of limits that the server sets itself.
 */
export const WITHOUT_EFFECT = {
  '--blobHost': { value: 'ADDRESS' },
  '--blobPort': { value: 'N' },
  '--blobKeepAliveTimeout': { value: 'SECONDS' },
  '--queueHost': { value: 'ADDRESS' },
  '--queuePort': { value: 'N' },
  '--queueKeepAliveTimeout': { value: 'SECONDS' },
  '--tableKeepAliveTimeout': { value: 'SECONDS' },
  '--extentMemoryLimit': { value: 'MB' },
  '--debug': { value: 'FILE', aliases: ['-d'] },
} as const satisfies OptionTable;

/** The usage of the command. */
export const SERVE = {
  summary: 'serves an account on a port of this machine',
  forms: ['--data DIR | --postgres URL | --in-memory [options]'],
  options: {
    ...PLACES,
    ...ADDRESS,
    ...ACCESS,
    '--import-azurite': {
      value: 'FILE',
      text: "take over the tables of Azurite's __azurite_db_table__.json first",
    },
    '--explorer': { text: 'serve a page with the tables, at /-/explorer' },
    '--log': {
      value: 'HOW',
      text: 'the form of what it prints:',
      choices: {
        text: 'lines for people (default)',
        json: 'a JSON object on each line, for programs',
      },
    },
    '--quiet': {
      text: 'print no line for each request; the lines of the start and warnings stay',
      aliases: ['--silent', '-s'],
    },
    ...WITHOUT_EFFECT,
    // Options of the emulator for what is so here anyway.
    '--skipApiVersionCheck': {},
    '--disableTelemetry': {},
  },
  notes: [
    'Options of Azurite that mean the same: --location, -l (--data), --inMemoryPersistence ' +
      '(--in-memory), --tableHost (--host), --tablePort (--port), --silent, -s (--quiet). Without ' +
      'effect, because it is so: --skipApiVersionCheck, --disableTelemetry. Without effect, and ' +
      `named at the start: ${Object.keys(WITHOUT_EFFECT).join(', ')}, -d.`,
  ],
} as const satisfies CommandUsage;
