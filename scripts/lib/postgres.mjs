// postgres.mjs - a PostgreSQL server for tests and benchmarks: in a temporary folder, on a free
// port of this machine.

import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { freePort } from './free-port.mjs';
import { which } from './run.mjs';

// Debian keeps the programs of each version in a folder of its own.
const DEBIAN = '/usr/lib/postgresql';

const USER = 'entitable';
const PASSWORD = 'secret';

/** The folder with `postgres` and `initdb`, or undefined if PostgreSQL is not installed. */
export function findPostgres() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  const folders = [
    newest && join(DEBIAN, newest, 'bin'),
    which('initdb')?.replace(/\/initdb$/, ''),
  ];
  return folders.find((folder) => folder && existsSync(join(folder, 'postgres')));
}

/**
 * Starts a server with an empty database.
 *
 * @param settings - lines of `postgresql.conf`. By default, it does not sync its files: a crash of
 * the machine would lose data, and the death of the server does not.
 */
export async function startPostgres({ settings = ['fsync = off'] } = {}) {
  const programs = findPostgres();
  const owner = unprivileged();
  const port = await freePort();
  const folder = await makeDatabase(join(programs, 'initdb'), owner, [
    "listen_addresses = '127.0.0.1'",
    `port = ${port}`,
    "unix_socket_directories = ''",
    ...settings,
  ]);
  const data = join(folder, 'data');
  const begin = () => launch(join(programs, 'postgres'), data, owner);
  let server = await begin();
  return {
    port,
    url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    /** As `pg_ctl stop -m immediate`: all connections break, and the next start is a recovery. */
    async crash() {
      await server.end('SIGQUIT');
    },
    async start() {
      server = await begin();
    },
    /** Copies the database while the server does not run. Returns a function that restores it. */
    keepCopy() {
      const copy = join(folder, 'copy');
      execFileSync('cp', ['--archive', data, copy]);
      return () => {
        rmSync(data, { recursive: true });
        renameSync(copy, data);
      };
    },
    async stop() {
      await server.end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// Returns the folder, which has the database in `data`.
async function makeDatabase(initdb, owner, settings) {
  const folder = mkdtempSync(join(tmpdir(), 'entitable-postgres-'));
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  if (owner.uid !== undefined) {
    for (const path of [folder, passwordFile]) chownSync(path, owner.uid, owner.gid);
  }
  const data = join(folder, 'data');
  await initialize(initdb, { data, passwordFile, owner });
  writeFileSync(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`);
  return folder;
}

const initialize = (program, { data, passwordFile, owner }) =>
  promisify(execFile)(
    program,
    [
      ...['--pgdata', data, '--username', USER, '--pwfile', passwordFile],
      ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--no-locale', '--no-sync'],
    ],
    // Its user may not see the present folder.
    { ...owner, cwd: tmpdir() },
  );

// Resolves when it accepts connections.
async function launch(program, data, owner) {
  const child = spawn(program, ['-D', data], {
    ...{ ...owner, cwd: data },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGQUIT');
  process.once('exit', kill);
  const said = [];
  await new Promise((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      if (said.length < 100) said.push(line);
      if (line.includes('ready to accept connections')) resolve();
    });
    exited.then(() => reject(new Error(`PostgreSQL has stopped: ${said.join('\n')}`)), reject);
  });
  return {
    async end(signal) {
      child.kill(signal);
      await exited;
      process.off('exit', kill);
    },
  };
}

// PostgreSQL does not run as root. Debian's package makes a user for it.
function unprivileged() {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8');
  const found =
    /^postgres:[^:]*:(\d+):(\d+):/m.exec(users) ?? /^nobody:[^:]*:(\d+):(\d+):/m.exec(users);
  return { uid: Number(found[1]), gid: Number(found[2]) };
}
