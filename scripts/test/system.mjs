// system.mjs - installs the packages of the system that the tests need.

import { existsSync } from 'node:fs';

import { findFirefox, findMiniBrowser } from '../lib/browsers.mjs';
import { findChromium } from '../lib/chromium.mjs';
import { findPostgres } from '../lib/postgres.mjs';
import { run, which } from '../lib/run.mjs';
import { Problem, say } from '../lib/terminal.mjs';
import { findHeadlessShell } from './shell.mjs';

// The names of Debian's packages, each with a check for the programs or headers that are used.
const IS_PRESENT = {
  'g++': () => which('c++') !== undefined,
  cmake: () => which('cmake') !== undefined,
  'ninja-build': () => which('ninja') !== undefined,
  ccache: () => which('ccache') !== undefined,
  'libgtest-dev': () =>
    ['/usr', '/usr/local'].some((prefix) => existsSync(`${prefix}/include/gtest/gtest.h`)),
  'clang-tidy-19': () => which('clang-tidy-19') !== undefined,
  'clang-19': () => which('clang++-19') !== undefined,
  'libclang-rt-19-dev': () =>
    existsSync('/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.fuzzer-x86_64.a') ||
    existsSync('/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.fuzzer-aarch64.a'),
  chromium: () => findChromium() !== undefined,
  'chromium-headless-shell': () => findHeadlessShell() !== undefined,
  'firefox-esr': () => findFirefox() !== undefined,
  // It depends on the library of WebKitGTK, whose package contains MiniBrowser.
  'webkit2gtk-driver': () =>
    findMiniBrowser() !== undefined && which('WebKitWebDriver') !== undefined,
  xvfb: () => which('Xvfb') !== undefined,
  postgresql: () => findPostgres() !== undefined,
};

/** For the tests of the core. */
export const NATIVE = ['g++', 'cmake', 'ninja-build', 'libgtest-dev', 'ccache'];

/** For those under sanitizers, and for the fuzzers. */
export const CLANG = ['clang-19', 'libclang-rt-19-dev'];

/** For clang-tidy, which reads the headers of the compiler. */
export const TIDY = ['clang-tidy-19', 'g++', 'cmake', 'ninja-build', 'ccache'];

/** For the tests with pages. */
export const SHELL = ['chromium-headless-shell'];

/** For the tests with whole browsers. */
export const CHROMIUM = ['chromium', ...SHELL];

/** For those with all of them. */
export const BROWSERS = [...CHROMIUM, 'firefox-esr', 'webkit2gtk-driver', 'xvfb'];

/** Installs missing packages. Returns false if there are none. */
export async function installSystemPackages(names) {
  const missing = [...new Set(names)].filter((name) => !IS_PRESENT[name]());
  if (missing.length === 0) return false;

  const list = missing.join(' ');
  if (process.getuid?.() !== 0 || !which('apt-get')) {
    throw new Problem(`these packages are missing: ${list}`, `sudo apt-get install ${list}`);
  }
  say(`installing ${list}`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const remedy = `apt-get install ${list}`;
  await run('apt-get', ['update'], { env, remedy });
  await run('apt-get', ['install', '--yes', '--no-install-recommends', ...missing], {
    env,
    remedy,
  });
  return true;
}
