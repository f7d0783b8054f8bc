// apt.mjs - downloads emscripten and its dependencies with apt, in a private state folder, so that
// apt neither reads nor changes the packages of the machine.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { run, which } from '../lib/run.mjs';
import { Problem, say } from '../lib/terminal.mjs';

const SUITE = 'trixie';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const WANTED = ['emscripten', 'ninja-build'];

// Declared as installed: Node runs this script, and the others are only for native compilers. This
// saves 60 packages.
const NOT_NEEDED = [
  'nodejs',
  'ccache',
  'binutils',
  'libc6-dev',
  'libgcc-14-dev',
  'libstdc++-14-dev',
  'libobjc-14-dev',
];

const EMSDK = 'install emsdk 3.1.69 or newer and put emcc on the PATH';

/** Returns the .deb files, and downloads those that `folder` does not have. */
export async function downloadPackages(folder) {
  for (const program of ['apt-get', 'dpkg-deb', 'tar']) {
    if (!which(program)) throw new Problem(`this machine has no ${program}`, EMSDK);
  }
  const archives = join(folder, 'cache', 'archives');
  for (const path of [join(archives, 'partial'), join(folder, 'state', 'lists', 'partial')]) {
    mkdirSync(path, { recursive: true });
  }
  const options = await writeSetup(folder);

  say('toolchain: reading the package list');
  const remedy = `check the network and run this again; it resumes. Or ${EMSDK}`;
  await run('apt-get', [...options, '-o', 'APT::Update::Error-Mode=any', 'update'], { remedy });
  say('toolchain: downloading');
  const install = [...options, '--yes', '--no-install-recommends', 'install', ...WANTED];
  // apt lists only packages that it would download. With an empty cache, these are all.
  const nowhere = join(folder, 'nothing-fetched');
  mkdirSync(join(nowhere, 'partial'), { recursive: true });
  const named = await run(
    'apt-get',
    ['-o', `Dir::Cache::archives=${nowhere}`, '--print-uris', ...install],
    { remedy },
  );
  await run('apt-get', ['--download-only', ...install], { remedy });
  return packagesToUnpack(named, archives);
}

/**
 * The files of `archives` in apt's list of --print-uris. The folder may have other files, such as
 * older versions of an interrupted run, which must not be unpacked.
 */
export function packagesToUnpack(named, archives) {
  const names = [...named.matchAll(/^'[^']+' (\S+\.deb) /gm)].map(([, name]) => name);
  if (names.length === 0) throw new Problem('apt has listed no package to download', EMSDK);
  const files = names.map((name) => join(archives, name));
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length === 0) return files;
  throw new Problem(`apt has not downloaded ${missing.join(', ')}`, 'run this again; it resumes');
}

async function writeSetup(folder) {
  const state = [
    ...['-o', `Dir::State=${join(folder, 'state')}`],
    ...['-o', `Dir::Cache=${join(folder, 'cache')}`],
    ...['-o', 'Acquire::Languages=none'],
    ...['-o', 'APT::Sandbox::User=root'],
  ];
  const source = [
    'Types: deb',
    `URIs: ${await mirror(state)}`,
    `Suites: ${SUITE}`,
    'Components: main',
    ...(existsSync(KEYRING) ? [`Signed-By: ${KEYRING}`] : []),
  ];
  const sources = join(folder, 'debian.sources');
  writeFileSync(sources, `${source.join('\n')}\n`);

  const architecture = (await run('dpkg', ['--print-architecture'])).trim();
  const status = join(folder, 'status');
  writeFileSync(status, NOT_NEEDED.map((name) => installed(name, architecture)).join('\n'));
  return [
    ...state,
    ...['-o', `Dir::State::status=${status}`],
    ...['-o', `Dir::Etc::SourceList=${sources}`],
    ...['-o', 'Dir::Etc::SourceParts=/dev/null'],
    ...['-o', 'Dir::Etc::Preferences=/dev/null'],
    ...['-o', 'Dir::Etc::PreferencesParts=/dev/null'],
  ];
}

function installed(name, architecture) {
  return `Package: ${name}
Status: install ok installed
Architecture: ${architecture}
Multi-Arch: allowed
Version: 99:0
Maintainer: none
Description: left out
`;
}

// The mirror of the machine's own Debian. `update --print-uris` understands every form of apt's
// sources, and works before the first download of a list.
async function mirror(state) {
  if (process.env.ENTITABLE_DEBIAN_MIRROR) return process.env.ENTITABLE_DEBIAN_MIRROR;
  const codename = /^VERSION_CODENAME=(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  const uris = await run('apt-get', [...state, 'update', '--print-uris']);
  const found = [...uris.matchAll(/^'(\S+?)\/dists\/([^/]+)\/InRelease'/gm)].find(
    ([, , suite]) => suite === codename,
  );
  const isDebian = /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
  if (found && isDebian) return found[1];
  throw new Problem(
    'no Debian mirror was found in the configuration of apt',
    `${EMSDK}, or name a Debian mirror in ENTITABLE_DEBIAN_MIRROR`,
  );
}
