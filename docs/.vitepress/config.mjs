// config.mjs - the site of the documentation. scripts/docs.mjs puts its pages together.

import { readFileSync } from 'node:fs';

import { defineConfig } from 'vitepress';

const SOURCE = 'build/docs/source';

// What the site has beside the pages that the start page lists.
const MORE = {
  Reference: [{ text: 'API', link: '/reference/api/' }],
  Internals: [{ text: 'Tour', link: '/internals/tour' }],
};

/** The sidebar has the groups and pages of the start page, in their order. */
function sidebar() {
  const [, list = ''] = /^## Where to begin\n([^]*?)^## /m.exec(pageText('index')) ?? [];
  const groups = list.split(/^- /m).slice(1).map(groupOf);
  return [...groups, { text: 'Changes', items: [{ text: 'Changelog', link: '/changelog' }] }];
}

function groupOf(item) {
  const links = [...item.matchAll(/\]\(([\w/-]+)\.md\)/g)].map(([, page]) => page);
  const [name] = /^[^:[]*/.exec(item);
  const items = links.map((page) => ({ text: titleOf(page), link: `/${page}` }));
  // The first one is a page and no group.
  return items.length === 1 ? items[0] : { text: name, items: [...(MORE[name] ?? []), ...items] };
}

const pageText = (page) => readFileSync(`${SOURCE}/${page}.md`, 'utf8');
const titleOf = (page) => /^# (.+)$/m.exec(pageText(page))[1];

export default defineConfig({
  title: 'Entitable',
  description: 'Tables in the browser: the Azure Table service as a small WebAssembly module',
  srcDir: `../${SOURCE}`,
  outDir: '../build/docs/site',
  cacheDir: '../build/docs/cache',
  cleanUrls: false,
  head: [['link', { rel: 'icon', href: '/demo/favicon.svg' }]],
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'API', link: '/reference/api/' },
      { text: 'Demo', link: '/demo/', target: '_self' },
    ],
    sidebar: sidebar(),
  },
});
