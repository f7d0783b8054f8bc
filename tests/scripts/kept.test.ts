// The cache of builds: work trees that share a cache folder, and a step that copies its input.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'entitable-kept-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cache = () => join(folder, 'cache');
const entries = () => readdirSync(join(cache(), 'built-1')).sort();

/** A work tree with the scripts, and one source. */
function workTree(name: string, source: string): string {
  const tree = join(folder, name);
  mkdirSync(tree);
  cpSync('scripts', join(tree, 'scripts'), { recursive: true });
  writeFileSync(join(tree, 'source'), source);
  return tree;
}

const BUILD = `
  import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  import { unlessFresh } from './scripts/lib/fresh.mjs';
  const step = {
    name: 'copy', inputs: ['source'], outputs: ['made'], tools: process.env.TOOLS ?? '',
  };
  let works = 0;
  const isNew = await unlessFresh(step, () => {
    works++;
    mkdirSync('made/deep', { recursive: true });
    const text = readFileSync('source', 'utf8');
    writeFileSync('made/deep/copy', text);
    if (process.env.FAILS) throw new Error('it fails');
    if (process.env.EDITS) writeFileSync('source', 'edited');
  });
  console.log(works, isNew);`;

/** Builds in the work tree, and returns how: by work, from the cache, or not at all. */
async function build(tree: string, env: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', BUILD], {
    cwd: tree,
    env: { ...process.env, ENTITABLE_CACHE: cache(), ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  await once(child, 'close');
  const ways: Record<string, string> = { '1 true': 'made', '0 true': 'kept', '0 false': 'fresh' };
  return ways[output.trim()] ?? 'failed';
}

const outputOf = (tree: string) => readFileSync(join(tree, 'made/deep/copy'), 'utf8');

it('makes outputs once for all work trees with the same inputs', async () => {
  const [first, second] = [workTree('first', 'a'), workTree('second', 'a')];

  expect(await build(first)).toBe('made');
  expect(await build(first)).toBe('fresh');
  expect(await build(second)).toBe('kept');
  expect(await build(second)).toBe('fresh');
  expect(outputOf(second)).toBe('a');
});

it('makes them anew for other inputs and other tools, and keeps those of before', async () => {
  const tree = workTree('tree', 'a');
  expect(await build(tree)).toBe('made');
  expect(await build(tree, { TOOLS: 'newer' })).toBe('made');
  writeFileSync(join(tree, 'source'), 'b');
  expect(await build(tree)).toBe('made');
  expect(outputOf(tree)).toBe('b');
  writeFileSync(join(tree, 'source'), 'a');

  expect(await build(tree)).toBe('kept');
  expect(outputOf(tree)).toBe('a');
});

it('makes an output again that was deleted', async () => {
  const tree = workTree('tree', 'a');
  await build(tree);
  rmSync(join(tree, 'made/deep/copy'));

  expect(await build(tree)).toBe('kept');
  expect(outputOf(tree)).toBe('a');
});

it('keeps nothing of work that failed', async () => {
  const [first, second] = [workTree('first', 'a'), workTree('second', 'a')];
  expect(await build(first, { FAILS: '1' })).toBe('failed');

  expect(await build(second)).toBe('made');
});

it('keeps nothing if an input was edited during the work', async () => {
  const [first, second] = [workTree('first', 'a'), workTree('second', 'a')];
  expect(await build(first, { EDITS: '1' })).toBe('made');

  expect(await build(second)).toBe('made');
  expect(await build(first)).toBe('made');
  expect(outputOf(first)).toBe('edited');
});

it.each(['files/made/deep/copy', 'list'])(
  'makes again what is damaged in the cache, in %s',
  async (file) => {
    const [first, second, third] = ['first', 'second', 'third'].map((name) => workTree(name, 'a'));
    await build(first!);
    writeFileSync(join(cache(), 'built-1', entries()[0]!, file), 'damaged');

    expect(await build(second!)).toBe('made');
    expect(outputOf(second!)).toBe('a');
    expect(await build(third!)).toBe('kept');
  },
);

it('leaves a whole entry when two runs build the same at once', async () => {
  const trees = ['first', 'second', 'third', 'fourth'].map((name) => workTree(name, 'a'));

  const ways = await Promise.all(trees.map((tree) => build(tree)));

  expect(ways).not.toContain('failed');
  expect(trees.map(outputOf)).toEqual(['a', 'a', 'a', 'a']);
  expect(entries()).toHaveLength(1);
  expect(await build(workTree('fifth', 'a'))).toBe('kept');
});

it('deletes what was not used for longest when there is too much', async () => {
  const sources = ['a', 'b', 'c'].map((letter) => letter.repeat(1000));
  const limit = { ENTITABLE_KEPT_BYTES: '2500' };
  for (const [index, source] of sources.entries()) {
    await build(workTree(`tree${index}`, source), limit);
    // The first one made is the last one used.
    for (const [at, name] of entries().entries()) {
      const isFirst = readFileSync(join(cache(), 'built-1', name, 'files/made/deep/copy'), 'utf8');
      const date = isFirst.startsWith('a') ? 2_000_000 : 1_000_000 + at;
      utimesSync(join(cache(), 'built-1', name), date, date);
    }
  }

  expect(await build(workTree('used', sources[0]!), limit)).toBe('kept');
  expect(await build(workTree('unused', sources[1]!), limit)).toBe('made');
});
