// The apps of examples/ without building them: tests/bundlers does that.

import { readFileSync, readdirSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

interface Manifest {
  version: string;
  private?: boolean;
  scripts: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest;

const APPS = readdirSync('examples', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const { version, devDependencies } = manifestOf('.');
// What the tests link or install.
const TESTED = { ...manifestOf('tests/bundlers/next').dependencies, ...devDependencies };

describe.each(APPS)('the example %s', (name) => {
  const manifest = manifestOf(`examples/${name}`);

  it('has the versions that are tested', () => {
    const named = { ...manifest.dependencies, ...manifest.devDependencies };
    const tested = Object.keys(named).map((one) => [
      one,
      one === 'entitable' ? version : TESTED[one],
    ]);

    expect(named).toEqual(Object.fromEntries(tested));
    expect(named).toHaveProperty('entitable');
    expect(manifest.private).toBe(true);
  });

  it('has a short page that says how to start it', () => {
    const page = readFileSync(`examples/${name}/README.md`, 'utf8');

    expect(page.split('\n').length).toBeLessThanOrEqual(41);
    const commands = [...page.matchAll(/^npm (?:run )?(\w+)$/gm)].map(([, script]) => script!);
    expect(commands[0]).toBe('install');
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(commands.slice(1)));
  });

  it('is in the list of the documentation', () => {
    expect(readFileSync('docs/examples.md', 'utf8')).toContain(`examples/${name}`);
  });
});

it('create-entitable has the version of the package', () => {
  expect(manifestOf('create-entitable').version).toBe(version);
});
