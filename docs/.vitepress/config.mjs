// config.mjs - the site of the documentation. scripts/docs.mjs puts its pages together.

import { readFileSync } from 'node:fs';

import { defineConfig } from 'vitepress';

import { playgroundExamples } from '../../scripts/docs/playground.mjs';

const SOURCE = 'build/docs/source';

// A site that does not begin at `/` needs it. That of a release stays at a place such as
// `/v0.2.0/`, within the newest one.
const BASE = process.env.ENTITABLE_SITE_BASE ?? '/';

// What the site has beside the pages that the start page lists.
const MORE = {
  Reference: [{ text: 'API', link: '/reference/api/' }],
  Internals: [{ text: 'Tour', link: '/internals/tour' }],
};

/** The sidebar has the groups and pages of the start page, in their order. */
function sidebar() {
  const [, ...sections] = pageText('index').split(/^## /m);
  const groups = sections.map(groupOf).filter(({ items }) => items.length > 0);
  return [...groups, { text: 'Changes', items: [{ text: 'Changelog', link: '/changelog' }] }];
}

function groupOf(section) {
  const [name] = section.split('\n');
  const links = [...section.matchAll(/\]\(([\w/-]+)\.md\)/g)].map(([, page]) => page);
  const items = links.map((page) => ({ text: titleOf(page), link: `/${page}` }));
  return { text: name, items: [...(MORE[name] ?? []), ...items] };
}

/** The menu of versions: this one's changes, and the sites of the releases before it. */
function versions() {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const released = [...pageText('changelog').matchAll(/^## \[(\d[\w.-]*)\]/gm)];
  const isKept = BASE.endsWith(`/v${version}/`);
  const names = released.map(([, name]) => name);
  const before = isKept ? [] : names.filter((name) => name !== version);
  return {
    text: version,
    items: [
      { text: 'Changelog', link: '/changelog' },
      ...before.map((name) => ({ text: name, link: `/v${name}/`, target: '_self' })),
    ],
  };
}

const pageText = (page) => readFileSync(`${SOURCE}/${page}.md`, 'utf8');
const titleOf = (page) => /^# (.+)$/m.exec(pageText(page))[1];

/** Below each example that runs in the playground, a link that opens it there. */
function addPlaygroundLinks(markdown) {
  const names = new Map(playgroundExamples().map(({ name, code }) => [code, name]));
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const name = names.get(tokens[index].content);
    const link = `<a class="run-this" href="${BASE}playground.html#example=${name}">Run this example</a>`;
    return fence(tokens, index, ...rest) + (name === undefined ? '' : link);
  };
}

/** The corner of a table is no head, since it names nothing. */
function leaveEmptyHeadsOut(tokens) {
  tokens.forEach((token, index) => {
    if (token.type !== 'th_open' || tokens[index + 1].content !== '') return;
    token.tag = 'td';
    tokens[index + 2].tag = 'td';
  });
}

export default defineConfig({
  title: 'Entitable',
  description: 'Tables in the browser: the Azure Table service as a small WebAssembly module',
  base: BASE,
  srcDir: `../${SOURCE}`,
  outDir: '../build/docs/site',
  cacheDir: '../build/docs/cache',
  cleanUrls: false,
  head: [['link', { rel: 'icon', href: `${BASE}demo/favicon.svg` }]],
  markdown: {
    // Those with enough contrast on the ground of a block.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(markdown) {
      addPlaygroundLinks(markdown);
      markdown.core.ruler.push('empty-heads', ({ tokens }) => {
        leaveEmptyHeadsOut(tokens);
      });
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Playground', link: '/playground' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'API', link: '/reference/api/' },
      { text: 'Demo', link: '/demo/', target: '_self' },
      versions(),
    ],
    sidebar: sidebar(),
  },
});
