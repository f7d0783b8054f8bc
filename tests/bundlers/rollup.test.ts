import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { installPackage, makeApp, RESULT } from './support/app.js';
import { shownAt, useBrowser } from './support/page.js';

beforeAll(() => installPackage('rollup'));
useBrowser();

/** The result of a page that Rollup builds. */
async function shownBy(name: string, plugin: string) {
  const app = makeApp('rollup', name);
  const args = ['main.js', '--dir', 'dist', '--plugin', plugin, '--failAfterWarnings'];
  await app.run('rollup/dist/bin/rollup', args);
  copyFileSync(join(app.folder, 'index.html'), join(app.folder, 'dist/index.html'));
  const server = await serve(join(app.folder, 'dist'), { port: 0 });
  const shown = await shownAt(server.url);
  await server.close();
  return { ...shown, url: server.url };
}

describe('with Rollup an app', () => {
  it('works', async () => {
    expect(await shownBy('default', 'node-resolve')).toMatchObject({ title: RESULT, problems: [] });
  });

  // The plugin then takes what Vite takes, which copies the file.
  it('names the missing file and the remedy, with `browser: true`', async () => {
    const { title, url } = await shownBy('for-browsers', 'node-resolve={ browser: true }');

    expect(title).toContain(`${url}entitable-first.wasm answered 404, no WebAssembly module`);
    expect(title).toContain('use the entry "entitable/inline"');
    expect(title).toContain('docs/guides/bundlers.md');
  });
});
