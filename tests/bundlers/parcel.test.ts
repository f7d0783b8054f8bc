import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { installPackage, makeApp, RESULT } from './support/app.js';
import { shownAt, useBrowser } from './support/page.js';

beforeAll(() => installPackage('parcel'));
useBrowser();

const program = 'parcel/lib/bin.js';

describe('with Parcel an app works', () => {
  it('served while it is written', async () => {
    const app = makeApp('parcel', 'dev');
    const url = await app.start(program, [
      'index.html',
      '--cache-dir',
      'cache',
      '--no-hmr',
      '--port',
      '8124',
    ]);

    expect(await shownAt(url)).toEqual({ title: RESULT, problems: [] });
  });

  it('built', async () => {
    const app = makeApp('parcel', 'build');

    await app.run(program, ['build', 'index.html', '--cache-dir', 'cache', '--no-source-maps']);

    // Parcel writes a script into the page.
    const server = await serve(join(app.folder, 'dist'), {
      port: 0,
      headers: {
        'content-security-policy': "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
      },
    });
    expect(await shownAt(server.url)).toEqual({ title: RESULT, problems: [] });
    await server.close();
  });
});
