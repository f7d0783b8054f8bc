// pack.mjs - packs the package as npm does, once for all tests that use it: the tarball, the names
// of its files in `files.json`, and its contents in `package/`.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

import { unlessFresh } from './lib/fresh.mjs';
import { run } from './lib/run.mjs';

const FOLDER = 'build/packed';

/** Returns false when there was nothing to do. */
export function packPackage() {
  return unlessFresh(
    {
      name: 'packed',
      inputs: [
        ...['dist', 'js/src', 'docs', 'templates', 'package.json', 'README.md', 'LICENSE'],
        ...['ARCHITECTURE.md', 'CHANGELOG.md', 'THIRD-PARTY-NOTICES.txt', 'scripts/pack.mjs'],
      ],
      outputs: [FOLDER],
    },
    async () => {
      rmSync(FOLDER, { recursive: true, force: true });
      mkdirSync(FOLDER, { recursive: true });
      // The build has just made what `prepack` would ask for.
      const options = ['--json', '--ignore-scripts', '--pack-destination', FOLDER];
      const answer = await run('npm', ['pack', ...options]);
      const [{ filename, files }] = Object.values(JSON.parse(answer.slice(answer.search(/[[{]/))));
      const names = files.map(({ path }) => path);
      writeFileSync(`${FOLDER}/files.json`, JSON.stringify({ tarball: filename, files: names }));
      await run('tar', ['-xf', `${FOLDER}/${filename}`, '-C', FOLDER]);
    },
  );
}
