// environments.mjs - where the tests of tests/js run, by the names of the files and what they say.
//
// - *.node.test.ts in Node, *.browser.test.ts in Chromium
// - *.test.ts in Node, and in Chromium if they touch a storage, a worker or the platform; in the
//   whole matrix all of them in both
//
// Those that work on every storage run once more with their accounts in a worker.
//
// Files share a context with others, so that sources are loaded once. Those have one of their own
// that replace timers, on which the timers would run that others have left, and those that have a
// comment `isolated:` with the reason.

import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { isWhole } from './tier.mjs';

const FOLDER = 'tests/js';

// The folders whose accounts can be in a worker.
const CLIENTS = /^tests\/js\/(client|http|live|transfer)\//;

// What Chromium does in another way than Node: channels, streams, modules, and what a page has. A
// member of that name, such as `schema.document`, is something else.
const GLOBALS =
  /(?<![.#\w])(BroadcastChannel|MessageChannel|ReadableStream|WebAssembly|document|globalThis|indexedDB|navigator)\b(?!\??:)/;

// A test that waits for a timer is about turns of the event loop.
const TIMER = /(?<![.#\w])setTimeout\(/;

// Storages of the platform, turns of its event loop, and workers.
const PLACES =
  /^(js\/src\/(storage\/(?!contract|memory|page-storage)|worker\b)|tests\/js\/support\/(opfs|turns|worker|watched-indexeddb)\b)/;

const COMMENTS_AND_TEXTS =
  /\/\*[^]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

// Types have no code that could run.
const IMPORTED = /^import (?!type\b)[^;]*?from '(\.[^']+)\.js';$/gm;

// One implementation answers these cases of the service, and all of it is in the module.
const EVERYWHERE = /\/conformance\.test\.ts$/;

const ISOLATED = /^\/\/ isolated: .{10}/m;

// A clock that shows another date has no timers.
const REPLACES_TIMERS =
  /\buseFakeTimers\((?!\{ toFake: \['Date'\])|\bhurried|support\/(turns|postgres-double)\b/;

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join(FOLDER, name))
  .sort();

const textOf = (file) => readFileSync(file, 'utf8');

const codeOf = (file) => textOf(file).replace(COMMENTS_AND_TEXTS, '');

const importsOf = (file) =>
  Array.from(textOf(file).matchAll(IMPORTED), ([, name]) => join(dirname(file), `${name}.ts`));

// A test touches the platform, too, if it imports a source that names a global.
const touchesPlatform = (file) =>
  /\bSTORAGES\b/.test(codeOf(file)) ||
  GLOBALS.test(codeOf(file)) ||
  TIMER.test(codeOf(file)) ||
  importsOf(file).some(
    (name) => PLACES.test(name) || (name.startsWith('js/src/') && GLOBALS.test(codeOf(name))),
  );

const isShared = (file) => !/\.(node|browser)\.test\.ts$/.test(file);

/** Those that run in Chromium. */
export const inChromium = () =>
  files.filter(
    (file) =>
      file.endsWith('.browser.test.ts') ||
      (isShared(file) && (isWhole() || EVERYWHERE.test(file) || touchesPlatform(file))),
  );

/** Those that run in Chromium with their accounts in a worker. */
export const inWorkers = () =>
  files.filter(
    (file) =>
      CLIENTS.test(file) &&
      !file.endsWith('.node.test.ts') &&
      (isWhole() || /\bSTORAGES\b/.test(textOf(file))),
  );

/** Those that need a context of their own. The whole matrix gives it to all. */
export const isolated = () =>
  files.filter((file) => {
    const text = textOf(file);
    return isWhole() || ISOLATED.test(text) || REPLACES_TIMERS.test(text);
  });
