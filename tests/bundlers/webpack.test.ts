import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { isWhole } from '../../scripts/test/tier.mjs';
import { installPackage, makeApp, RESULT } from './support/app.js';
import { shownAt, useBrowser } from './support/page.js';
import { WEBPACKS } from './support/tools.js';

useBrowser();

// Minified scripts take it most of its time. In each run, Vite and esbuild minify this app.
const SPARING = isWhole() ? [] : ['--no-optimization-minimize'];

describe.each(WEBPACKS)('with %s an app works', (tool, program) => {
  beforeAll(() => installPackage(tool));

  // The page of the app takes its script from the folder of the bundle.
  function make(name: string) {
    const app = makeApp(tool, name);
    const page = '<!doctype html><title>waiting</title><link rel="icon" href="data:," />';
    writeFileSync(join(app.folder, 'index.html'), `${page}<script src="dist/main.js"></script>`);
    const config = `export default {
      entry: './main.js',
      devServer: { static: '.', devMiddleware: { publicPath: '/dist/' } },
    };`;
    writeFileSync(join(app.folder, `${tool}.config.js`), config);
    return app;
  }

  it('served while it is written', async () => {
    const app = make('dev');
    const url = await app.start(program, ['serve', '--mode', 'development', '--port', '8123']);

    expect(await shownAt(url)).toEqual({ title: RESULT, problems: [] });
  });

  it.each(['production', 'development'])('built for %s', async (mode) => {
    const app = make(mode);

    expect(await app.run(program, ['build', '--mode', mode, ...SPARING])).not.toMatch(
      /import\(|Critical/,
    );

    const server = await serve(app.folder, {
      port: 0,
      headers: { 'content-security-policy': "default-src 'self' 'unsafe-eval' data:" },
    });
    expect(await shownAt(server.url)).toEqual({ title: RESULT, problems: [] });
    await server.close();
  });
});
