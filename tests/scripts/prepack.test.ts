// A copy of the scripts, with a source and a dist/ of its own.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

vi.setConfig({ testTimeout: 60_000 });

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'entitable-prepack-'));
  for (const part of ['scripts', 'package.json', 'package-lock.json']) {
    cpSync(part, join(project, part), { recursive: true });
  }
  put('js/src/index.ts', 'export {};');
  mkdirSync(join(project, 'js/src/forms/messages'), { recursive: true });
});

afterEach(() => rmSync(project, { recursive: true, force: true }));

function put(file: string, text: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
}

const node = (...args: string[]) =>
  spawnSync(process.execPath, args, {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, ENTITABLE_CACHE: join(project, 'cache') },
  });

/** Runs the command that npm runs before it packs. */
function prepack() {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };
  return node(...scripts['prepack']!.split(' ').slice(1));
}

/** Makes the outputs of a step of the build, or fails. */
function build(step: string, ends: 'well' | 'in the middle'): void {
  const work = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    import { dirname } from 'node:path';
    import { unlessFresh } from './scripts/lib/fresh.mjs';
    import { ${step} } from './scripts/build-${step === 'JS_STEP' ? 'js' : 'wasm'}.mjs';
    await unlessFresh(${step}, () => {
      for (const output of ${step}.outputs) {
        const file = output === 'dist' ? 'dist/index.js' : output;
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, '');
      }
      if (${ends === 'in the middle'}) throw new Error('it fails');
    });`;
  const { status } = node('--input-type=module', '-e', work);
  expect(status).toBe(ends === 'well' ? 0 : 1);
}

const refusal = expect.objectContaining({
  status: 1,
  stderr: expect.stringContaining('dist/ is not what the present sources make') as string,
}) as unknown;

it('npm packs what was built from the present sources', () => {
  expect(prepack()).toEqual(refusal);
  build('WASM_STEP', 'well');
  expect(prepack()).toEqual(refusal);
  build('JS_STEP', 'well');

  expect(prepack()).toMatchObject({ status: 0, stdout: '' });
});

it.each(['js/src/index.ts', 'core/src/engine.cc', 'build/js/entitable.wasm'])(
  'npm packs nothing after %s was changed',
  (file) => {
    build('WASM_STEP', 'well');
    build('JS_STEP', 'well');
    put(file, 'changed');

    expect(prepack()).toEqual(refusal);
  },
);

it('npm packs nothing after a build has failed, also with the old sources', () => {
  build('WASM_STEP', 'well');
  build('JS_STEP', 'well');
  put('js/src/index.ts', 'changed');
  build('JS_STEP', 'in the middle');
  put('js/src/index.ts', 'export {};');

  expect(prepack()).toEqual(refusal);
});
