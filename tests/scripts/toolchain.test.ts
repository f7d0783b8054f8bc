import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { packagesToUnpack } from '../../scripts/toolchain/apt.mjs';

// As apt prints it.
const NAMED = `Reading package lists...
Building dependency tree...
'http://deb.example/debian/pool/main/e/emscripten/emscripten_3.1.69%2bdfsg-3_all.deb' emscripten_3.1.69+dfsg-3_all.deb 150000 SHA256:00
'http://deb.example/debian/pool/main/l/llvm-19/clang-19_19.1.7-3_amd64.deb' clang-19_1%3a19.1.7-3_amd64.deb 7000 SHA256:11
`;
const NEEDED = ['emscripten_3.1.69+dfsg-3_all.deb', 'clang-19_1%3a19.1.7-3_amd64.deb'];

let archives: string;

beforeEach(() => {
  archives = mkdtempSync(join(tmpdir(), 'entitable-archives-'));
  onTestFinished(() => rmSync(archives, { recursive: true }));
});

describe('the packages to unpack', () => {
  it('are the files that apt has listed, and no others of the folder', () => {
    const others = ['clang-19_1%3a19.1.7-2_amd64.deb', 'another_1.0_all.deb', 'lock'];
    for (const name of [...NEEDED, ...others]) writeFileSync(join(archives, name), '');

    expect(packagesToUnpack(NAMED, archives)).toEqual(NEEDED.map((name) => join(archives, name)));
  });

  it('are all there, or the failure names the missing one', () => {
    writeFileSync(join(archives, NEEDED[0]!), '');

    expect(() => packagesToUnpack(NAMED, archives)).toThrow(NEEDED[1]);
  });

  it('are not none', () => {
    expect(() => packagesToUnpack('Reading package lists...\n', archives)).toThrow(/no package/);
  });
});
