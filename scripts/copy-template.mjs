// copy-template.mjs - npm runs it before it packs create-entitable, which has a copy of the example
// and of the licence then.

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

import { enterProject } from './lib/project.mjs';

const EXAMPLE = 'examples/react-offline-notes';
const TEMPLATE = 'create-entitable/template';

// What is there when somebody has tried the example in its place.
const MADE = ['node_modules', 'dist', 'package-lock.json'];

enterProject();
rmSync(TEMPLATE, { recursive: true, force: true });
const filter = (path) => !MADE.includes(basename(path));
cpSync(EXAMPLE, TEMPLATE, { recursive: true, filter });
cpSync('LICENSE', 'create-entitable/LICENSE');

// An app has the documents in the package that it installs.
const page = `${TEMPLATE}/README.md`;
const text = readFileSync(page, 'utf8').replaceAll(
  '](../../docs/',
  '](node_modules/entitable/docs/',
);
writeFileSync(page, text);
