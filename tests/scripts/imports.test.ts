import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

const scripts = readdirSync('scripts', { recursive: true, encoding: 'utf8' }).filter(
  // ESLint loads its rules after the packages are installed.
  (name) => name.endsWith('.mjs') && !name.startsWith('lint'),
);

it.each(scripts)('%s imports no package, because scripts install them', (name) => {
  const text = readFileSync(join('scripts', name), 'utf8');
  const imported = [...text.matchAll(/^(?:import|export) .*?from '([^']+)';$/gms)];

  expect(imported.map(([, path]) => path).filter((path) => !/^(node:|\.)/.test(path!))).toEqual([]);
});
