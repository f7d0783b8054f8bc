import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { matchingFiles, matchingFilter } from '../../scripts/test/matching.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'entitable-matching-'));
  mkdirSync(join(folder, 'deep'));
  write('deep/live-view.test.ts', "it('sees an insert', () => {});");
  write('tables.test.ts', "describe('tables', () => {\n  it(\n    'stay Live when idle', f);\n});");
  write('other.test.ts', "it('counts', () => open('live'));");
  write('live.ts', "it('is no test file', () => {});");
  write('live_test.cc', 'TEST(LiveTest, SeesAnInsert) {}\nTEST_P(ManyTest, Drops) {}\n');
  write('scan_test.cc', 'TEST_F(ScanTest, KeepsAlive) {}\nTEST(ScanTest, Ends) {}\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string) {
  writeFileSync(join(folder, name), text);
}

it('chooses files by their paths, and tests by their names', () => {
  expect(matchingFiles(['live'], [folder])).toEqual({
    files: [join(folder, 'deep', 'live-view.test.ts')],
    others: [join(folder, 'tables.test.ts')],
    name: 'live',
  });
});

it('accepts several words', () => {
  const { files } = matchingFiles(['other', 'live-view'], [folder]);

  expect(files).toEqual([join(folder, 'deep', 'live-view.test.ts'), join(folder, 'other.test.ts')]);
});

it('leaves out the files of another environment', () => {
  const { files } = matchingFiles(['view', 'tables'], [folder], 'view.test.ts');

  expect(files).toEqual([join(folder, 'tables.test.ts')]);
});

it('reads a word as text, not as a pattern', () => {
  expect(matchingFiles(['l.ve'], [folder])).toMatchObject({ files: [], others: [] });
});

it('chooses tests of C++ with GoogleTest’s filter', () => {
  expect(matchingFilter(['live'], folder)).toBe(
    '*LiveTest.SeesAnInsert*:*ManyTest.Drops*:*ScanTest.KeepsAlive*',
  );
  expect(matchingFilter(['nothing'], folder)).toBe('');
});
