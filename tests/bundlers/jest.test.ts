import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { installPackage, makeApp, RESULT } from './support/app.js';

beforeAll(() => installPackage('jest'));

const test = `
import { expect, it } from '@jest/globals';
import { usePackage } from './program.js';
it('works', async () => expect(await usePackage()).toBe('${RESULT}'));`;

it('with Jest a test passes that is an ES module', async () => {
  const app = makeApp('jest', 'node');
  writeFileSync(
    join(app.folder, 'jest.config.js'),
    exampleNamed('docs/guides/bundlers.md', 'jest.config.js'),
  );
  writeFileSync(join(app.folder, 'program.test.js'), test);

  const said = await app.run('jest/bin/jest.js', [], { NODE_OPTIONS: '--experimental-vm-modules' });

  expect(said).toMatch(/Tests: +1 passed/);
});
