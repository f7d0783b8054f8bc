// What the plugin of Vite writes. tests/bundlers/vite.test.ts opens what it builds.

import { expect, it } from 'vitest';

import { entitable, type BuiltFile } from '../../js/src/vite.js';

const BUILT = ['assets/main-1.js', 'assets/main-1.js.map', 'index.html', 'about/index.html'];

/** The service worker of a build with these files. */
async function workerOf(page: string, names = BUILT): Promise<string> {
  const files = names.map((fileName): [string, BuiltFile] => [
    fileName,
    { type: 'asset', fileName, source: fileName.endsWith('.html') ? page : '' },
  ]);
  let written = '';
  const context = {
    emitFile({ fileName, source }: { fileName: string; source: string }) {
      expect(fileName).toBe('sw.js');
      written = source;
    },
  };
  const { handler } = entitable({ offline: true }).generateBundle;
  await handler.call(context, {}, Object.fromEntries(files));
  return written;
}

it('keeps the files of a build, and pages at the addresses that hosts answer', async () => {
  const [, list] = /^const FILES = (\[[^]*?\]);$/m.exec(await workerOf('<h1>Notes</h1>'))!;

  expect(JSON.parse(list!)).toEqual(['./assets/main-1.js', './', './about/']);
});

it('differs when a page differs, so that browsers fetch the new build', async () => {
  const first = await workerOf('<h1>Notes</h1>');

  expect(await workerOf('<h1>Notes</h1>')).toBe(first);
  expect(await workerOf('<h1>My notes</h1>')).not.toBe(first);
});

it('leaves out the modules that an app with sync never loads, and no others', async () => {
  const plain = ['assets/entitable-first-A1.wasm', 'assets/entitable-rest-B2.wasm'];
  const withSync = [...plain, 'assets/entitable-sync-first-C3.wasm'];

  expect(await workerOf('', plain)).toContain('entitable-first-A1.wasm');
  const worker = await workerOf('', withSync);
  expect(worker).toContain('entitable-sync-first-C3.wasm');
  expect(worker).not.toMatch(/entitable-(first|rest)-/);
});

it('writes no worker unless it is asked to', async () => {
  const emitFile = () => expect.fail('There is a file.');

  await entitable().generateBundle.handler.call({ emitFile }, {}, {});
});
