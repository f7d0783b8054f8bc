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
