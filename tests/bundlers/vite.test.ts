import { execSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { isTested } from '../../scripts/test/tier.mjs';
import { exampleNamed } from '../package/support/documents.js';
import { installPackage, makeApp, RESULT, useWrongFilter } from './support/app.js';
import { shownAt, useBrowser } from './support/page.js';

beforeAll(() => installPackage('vite'));
useBrowser();

describe.each(['vite-5', 'vite-6', 'vite-7', 'vite-8'].filter(isTested))(
  'with %s an app works',
  (version) => {
    const program = `${version}/bin/vite.js`;

    it('served while it is written', async () => {
      const app = makeApp('vite', `${version}-dev`);
      const url = await app.start(program, ['--port', '0']);

      expect(await shownAt(url)).toEqual({ title: RESULT, problems: [] });
    });

    it('served while it is written, in the page of the first steps', async () => {
      const app = makeApp('vite', `${version}-start`);
      const page = exampleNamed('docs/start.md', 'start.html').replace('Pets', 'waiting');
      writeFileSync(join(app.folder, 'index.html'), page);
      // The tool's folder has what the second command would install.
      const [makePackage, install] = exampleNamed('docs/start.md', 'start.sh').trim().split('\n');
      expect(install).toBe('npm install entitable vite');
      rmSync(join(app.folder, 'package.json'));
      execSync(makePackage!, { cwd: app.folder, stdio: 'pipe' });
      const url = await app.start(program, ['--port', '0']);

      expect(await shownAt(url)).toEqual({ title: RESULT, problems: [] });
    });

    it('served while it is written, which warns of a wrong filter', async () => {
      const app = makeApp('vite', `${version}-warnings`);
      useWrongFilter(app);
      const url = await app.start(program, ['--port', '0']);

      expect(await shownAt(url)).toEqual({ title: 'unknown-property', problems: [] });
    });

    it('built', async () => {
      const app = makeApp('vite', version);

      expect(await app.run(program, ['build'])).not.toMatch(/warn/i);

      const server = await serve(join(app.folder, 'dist'), { port: 0 });
      expect(await shownAt(server.url)).toEqual({ title: RESULT, problems: [] });
      await server.close();
    });

    it('built without the script of warnings', async () => {
      const app = makeApp('vite', `${version}-production`);
      useWrongFilter(app);

      await app.run(program, ['build']);

      const assets = join(app.folder, 'dist/assets');
      const texts = readdirSync(assets).map((file) => readFileSync(join(assets, file), 'utf8'));
      expect(texts.join('')).toContain('developmentWarnings');
      expect(texts.join('')).not.toContain('unknown-property');
    });
  },
);
