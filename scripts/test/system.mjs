// system.mjs - what the tests need of the machine beside Node and npm's packages.

import { existsSync } from 'node:fs';

import { findFirefox, findMiniBrowser } from '../lib/browsers.mjs';
import { findChromium } from '../lib/chromium.mjs';
import { run, which } from '../lib/run.mjs';
import { Problem, say } from '../lib/terminal.mjs';

// Name of Debian's package → whether what we want of it is there, wherever it came from.
const IS_PRESENT = {
  'g++': () => which('c++') !== undefined,
  cmake: () => which('cmake') !== undefined,
  'ninja-build': () => which('ninja') !== undefined,
  'libgtest-dev': () =>
    ['/usr', '/usr/local'].some((prefix) => existsSync(`${prefix}/include/gtest/gtest.h`)),
  'clang-tidy-19': () => which('clang-tidy-19') !== undefined,
  'clang-19': () => which('clang++-19') !== undefined,
  'libclang-rt-19-dev': () =>
    existsSync('/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.fuzzer-x86_64.a') ||
    existsSync('/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.fuzzer-aarch64.a'),
  chromium: () => findChromium() !== undefined,
  'firefox-esr': () => findFirefox() !== undefined,
  // Brings the browser, too, whose library is all that the driver needs.
  'webkit2gtk-driver': () => findMiniBrowser() !== undefined,
  xvfb: () => which('Xvfb') !== undefined,
};

/** What the tests of the core need. */
export const NATIVE = ['g++', 'cmake', 'ninja-build', 'libgtest-dev'];

/** What clang-tidy needs, which reads the headers of the tests' compiler. */
export const TIDY = ['clang-tidy-19', 'g++', 'cmake', 'ninja-build'];

/** What the tests with whole browsers need. */
export const BROWSERS = ['chromium', 'firefox-esr', 'webkit2gtk-driver', 'xvfb'];

/** Installs what is missing; returns false when nothing is. */
export async function installSystemPackages(names) {
  const missing = [...new Set(names)].filter((name) => !IS_PRESENT[name]());
  if (missing.length === 0) return false;

  const list = missing.join(' ');
  if (process.getuid?.() !== 0 || !which('apt-get')) {
    throw new Problem(`this machine lacks ${list}`, `sudo apt-get install ${list}`);
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
