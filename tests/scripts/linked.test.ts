// The cache of installed packages: folders that work trees share by hard links.

import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { keepFolder, restoreFolder } from '../../scripts/lib/linked.mjs';

let folder: string;
let first: string;
let second: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'entitable-linked-'));
  vi.stubEnv('ENTITABLE_CACHE', join(folder, 'cache'));
  first = join(folder, 'first/node_modules');
  second = join(folder, 'second/node_modules');
  mkdirSync(join(first, 'library/deep'), { recursive: true });
  mkdirSync(join(first, '.bin'));
  writeFileSync(join(first, 'library/deep/main.js'), 'main', { mode: 0o755 });
  symlinkSync('../library/deep/main.js', join(first, '.bin/library'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const entries = () => readdirSync(join(folder, 'cache/packages-1'));

it('gives another work tree the same files, with their modes and links', async () => {
  await keepFolder('key', first);

  expect(await restoreFolder('key', second)).toBe(true);
  const main = join(second, 'library/deep/main.js');
  expect(readFileSync(main, 'utf8')).toBe('main');
  expect(statSync(main).ino).toBe(statSync(join(first, 'library/deep/main.js')).ino);
  expect(statSync(main).mode & 0o777).toBe(0o755);
  expect(lstatSync(join(second, '.bin/library')).isSymbolicLink()).toBe(true);
  expect(readlinkSync(join(second, '.bin/library'))).toBe('../library/deep/main.js');
});

it('takes the place of what was there', async () => {
  await keepFolder('key', first);
  mkdirSync(second, { recursive: true });
  writeFileSync(join(second, 'old'), '');

  expect(await restoreFolder('key', second)).toBe(true);
  expect(readdirSync(second).sort()).toEqual(['.bin', 'library']);
});

it('has nothing under another key', async () => {
  await keepFolder('key', first);

  expect(await restoreFolder('other', second)).toBe(false);
  expect(existsSync(second)).toBe(false);
});

it.each([
  ['was written into', () => writeFileSync(join(first, 'library/deep/main.js'), 'else')],
  ['has another date', () => utimesSync(join(first, 'library/deep/main.js'), 1, 1)],
])('forgets a folder of which a file %s', async (_, change) => {
  await keepFolder('key', first);
  change();

  expect(await restoreFolder('key', second)).toBe(false);
  expect(existsSync(second)).toBe(false);
  expect(entries()).toEqual([]);
});

it('keeps what a work tree deletes, replaces or adds', async () => {
  await keepFolder('key', first);
  rmSync(join(first, 'library/deep/main.js'));
  writeFileSync(join(first, 'library/deep/main.js'), 'of another version');
  writeFileSync(join(first, 'added'), '');

  expect(await restoreFolder('key', second)).toBe(true);
  expect(readFileSync(join(second, 'library/deep/main.js'), 'utf8')).toBe('main');
  expect(existsSync(join(second, 'added'))).toBe(false);
});

it('keeps as many folders as the limit says, and forgets the one that was not used for longest', async () => {
  for (let i = 0; i < 24; i++) await keepFolder(`key-${i}`, first);
  for (let i = 0; i < 24; i++) {
    utimesSync(join(folder, 'cache/packages-1', `key-${i}`), 1000 + i, 1000 + i);
  }
  expect(await restoreFolder('key-0', second)).toBe(true);
  await keepFolder('one-more', first);

  expect(entries()).toContain('key-0');
  expect(entries()).not.toContain('key-1');
  expect(entries()).toHaveLength(24);
});
