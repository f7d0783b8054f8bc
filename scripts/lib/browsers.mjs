// browsers.mjs - finds the other browsers that the tests of real tabs start.

import { existsSync, readdirSync } from 'node:fs';

import { which } from './run.mjs';

/** The path of Firefox, or undefined. */
export function findFirefox() {
  return process.env.FIREFOX || ['firefox-esr', 'firefox'].map((name) => which(name)).find(Boolean);
}

/** The path of WebKitGTK's browser, or undefined. */
export function findMiniBrowser() {
  return process.env.MINIBROWSER || miniBrowsers().find((path) => existsSync(path));
}

// It is beside the libraries and not on PATH: /usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/ in Debian.
function miniBrowsers() {
  return ['/usr/lib', '/usr/libexec'].flatMap((folder) =>
    ['', ...foldersIn(folder).filter((name) => name.endsWith('-linux-gnu'))].flatMap((name) =>
      ['webkit2gtk-4.1', 'webkitgtk-6.0', 'webkit2gtk-4.0'].map(
        (version) => `${folder}/${name}/${version}/MiniBrowser`,
      ),
    ),
  );
}

function foldersIn(path) {
  return existsSync(path) ? readdirSync(path) : [];
}
