#!/usr/bin/env node
// Makes an app in a new folder, from the template that is packed beside this script.

import { cpSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const USAGE = `Usage: npm create entitable FOLDER

Makes an app in FOLDER: notes in React and Vite, which work offline and can sync.`;

const [given, ...more] = process.argv.slice(2);
if (given === '--help' || given === '-h') {
  console.log(USAGE);
} else if (given === undefined || given.startsWith('-') || more.length > 0) {
  fail(`Name one folder for the app.\n\n${USAGE}`);
} else {
  make(resolve(given));
}

function make(folder) {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) fail(`${given} is a file. Name another folder.`);
    if (readdirSync(folder).length > 0) fail(`${given} is not empty. Name another folder.`);
  }
  cpSync(fileURLToPath(new URL('template', import.meta.url)), folder, { recursive: true });
  // npm packs no file of this name.
  writeFileSync(join(folder, '.gitignore'), 'node_modules\ndist\n');
  const file = join(folder, 'package.json');
  const manifest = { ...JSON.parse(readFileSync(file, 'utf8')), name: nameFor(folder) };
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);

  const path = relative('', folder);
  const enter = path === '' ? '' : `  cd ${/\s/.test(path) ? `"${path}"` : path}\n`;
  console.log(`The app is in ${folder}. Next:\n\n${enter}  npm install\n  npm run dev`);
}

/** The name of the folder, as npm allows it. */
function nameFor(folder) {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '');
  return name || 'app';
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
