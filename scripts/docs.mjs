// docs.mjs - `npm run docs`: the site of the documentation, in build/docs/site.
//
//   npm run docs             builds it
//   npm run docs -- dev      serves it, and shows changes of docs/ at once
//
// It has the pages of docs/, the tour and the changelog, the API reference from the comments of the
// sources, the playground, and the demo page.

import {
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';

import { build } from './build.mjs';
import { writeApiReference } from './docs/api.mjs';
import { writePlayground } from './docs/playground.mjs';
import { unlessFresh } from './lib/fresh.mjs';
import { enterProject } from './lib/project.mjs';
import { Problem, main, say, step } from './lib/terminal.mjs';

const SOURCE = 'build/docs/source';

// Pages outside of docs/, with their addresses in the site.
const MOVED = { 'ARCHITECTURE.md': 'internals/tour.md', 'CHANGELOG.md': 'changelog.md' };

// The top of the start page, for the site alone.
const HOME = 'docs/.vitepress/home.yml';

/** Copies the pages to the folder that VitePress reads. */
function copyPages() {
  const files = readdirSync('docs', { recursive: true }).filter((name) =>
    /\.(md|svg|png)$/.test(name),
  );
  for (const name of [...files.map((name) => join('docs', name)), ...Object.keys(MOVED)]) {
    const place = join(SOURCE, placeOf(name));
    mkdirSync(dirname(place), { recursive: true });
    if (name.endsWith('.md')) {
      const text = withLinksOfSite(readFileSync(name, 'utf8'), name);
      writeFileSync(place, name === 'docs/index.md' ? withHome(text) : text);
    } else {
      cpSync(name, place);
    }
  }
}

// Undefined if the site does not have the file.
const placeOf = (name) =>
  MOVED[name] ?? (name.startsWith('docs/') ? relative('docs', name) : undefined);

// A link to a file that the site does not have becomes plain text.
function withLinksOfSite(text, page) {
  return text.replace(
    /\[([^\]]+)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)]*)?\)/g,
    (_, words, path, anchor = '') => {
      const place = placeOf(join(dirname(page), path));
      if (place === undefined) return words;
      return `[${words}](${relative(dirname(placeOf(page)), place)}${anchor})`;
    },
  );
}

function withHome(text) {
  // The title and the first paragraph are in there.
  const sections = text.slice(text.indexOf('\n## '));
  return `---\n${readFileSync(HOME, 'utf8')}---\n${sections}`;
}

function copyDemo() {
  // The start page names a picture by its address.
  cpSync('docs/images', join(SOURCE, 'public/images'), { recursive: true });
  cpSync('web-demo/dist', join(SOURCE, 'public/demo'), { recursive: true });
}

// The site is what these make.
const SITE = {
  name: 'site',
  inputs: [
    ...['docs', 'ARCHITECTURE.md', 'CHANGELOG.md', 'README.md', 'playground', 'web-demo/dist'],
    ...['js/src', 'dist', 'tsconfig.json', 'scripts/lib/documents.mjs'],
    ...['package.json', 'package-lock.json', 'scripts/docs.mjs', 'scripts/docs'],
  ],
  outputs: ['build/docs/site'],
  tools: process.env.ENTITABLE_SITE_BASE,
};

async function prepare() {
  rmSync(SOURCE, { recursive: true, force: true });
  await step('copied pages', () => {
    copyPages();
    copyDemo();
  });
  await step('made the playground', () => writePlayground(join(SOURCE, 'public/playground')));
  await step('wrote the API reference', () => writeApiReference(join(SOURCE, 'reference/api')));
}

async function buildSite() {
  await unlessFresh(SITE, async () => {
    await prepare();
    const { build: buildPages } = await import('vitepress');
    await step('built the site', () => buildPages('docs'));
  });
  say('the site is in build/docs/site');
}

async function serveSite() {
  await prepare();
  const { createServer } = await import('vitepress');
  const server = await createServer('docs');
  await server.listen();
  server.printUrls();
  watch('docs', { recursive: true }, (_, name) => {
    if (name?.endsWith('.md')) copyPages();
  });
}

enterProject();
await main(async () => {
  const [command, ...rest] = process.argv.slice(2);
  if (rest.length > 0 || !['dev', undefined].includes(command)) {
    throw new Problem(`docs has no argument ${process.argv.slice(2).join(' ')}; it takes dev`);
  }
  await build('package', 'page');
  await (command === 'dev' ? serveSite() : buildSite());
});
