import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { installPackage, makeApp, RESULT } from './support/app.js';
import { shownAt, useBrowser } from './support/page.js';

beforeAll(() => installPackage('vite'));
useBrowser();

describe.each(['vite-5', 'vite-6', 'vite-7', 'vite-8'])('with %s an app works', (version) => {
  const program = `${version}/bin/vite.js`;

  it('served while it is written', async () => {
    const app = makeApp('vite', `${version}-dev`);
    const url = await app.start(program, ['--port', '0']);

    expect(await shownAt(url)).toEqual({ title: RESULT, problems: [] });
  });

  it('built', async () => {
    const app = makeApp('vite', version);

    expect(await app.run(program, ['build'])).not.toMatch(/warn/i);

    const server = await serve(join(app.folder, 'dist'), { port: 0 });
    expect(await shownAt(server.url)).toEqual({ title: RESULT, problems: [] });
    await server.close();
  });
});
