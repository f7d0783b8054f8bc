// Comments name files that exist, and have short lines.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { expect, it } from 'vitest';

// The files of the work tree that Git does not ignore.
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\n')
  .filter((path) => existsSync(path));
const NAMES = new Set(FILES.map((path) => basename(path)));

const SOURCES = FILES.filter((path) => /\.(cc|h|tsx?|mjs|js|css|cmake|yml)$|CMakeLists/.test(path));

// A line, from the beginning of its comment.
const COMMENT = /(?:^|\s)(?:\/\/|\/\*|#(?!\w))(.*)$|^\s*\*(?!\/)(.*)$/gm;
const FILE = /(?<![\w@/.*<-])(?:[\w.-]+\/)*[\w-]+\.(?:cc|h|ts|mjs|cmake|md)\b/g;

// The build writes it, or a package has it.
const isElsewhere = (name: string) => name.startsWith('build/') || name === 'simdjson.h';

function exists(name: string): boolean {
  return name.includes('/')
    ? FILES.some((path) => path === name || path.endsWith(`/${name}`))
    : NAMES.has(name);
}

function filesNamedIn(path: string): { path: string; name: string }[] {
  return [...readFileSync(path, 'utf8').matchAll(COMMENT)]
    .flatMap(([, line, inner]) => (line ?? inner ?? '').match(FILE) ?? [])
    .map((name) => ({ path, name }));
}

it('comments name files that exist', () => {
  const named = SOURCES.flatMap(filesNamedIn);

  expect(named.length).toBeGreaterThan(500);
  expect(named.filter(({ name }) => !isElsewhere(name) && !exists(name))).toEqual([]);
});

it('comments wrap at 100 columns', () => {
  const lines = SOURCES.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^ *(?:\/\/|\/?\*|#).*$/gm)].map(([line]) => ({
      path,
      line,
    })),
  );

  expect(lines.length).toBeGreaterThan(5000);
  expect(lines.filter(({ line }) => [...line].length > 100)).toEqual([]);
});
