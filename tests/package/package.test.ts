import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { beforeAll, describe, expect, it } from 'vitest';

// The budgets of a download, gzip -9; KB is 1024 bytes.
const MAX_WASM_KB = 160;
const MAX_JAVASCRIPT_KB = 27;

// Of the module with the HTTP front, and of its entry with the glue: for servers and workers,
// and for pages that serve themselves.
const MAX_HTTP_WASM_KB = 160;
const MAX_HTTP_JAVASCRIPT_KB = 37.25;

// Of a storage that pages load, and of any other entry beside the module's.
const MAX_BROWSER_STORAGE_KB = 8;
const MAX_STORAGE_KB = 16;

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

const folder = 'build/pack';
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
let tarball: string;
let files: string[];

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const answer = run('npm', ['pack', '--json', '--pack-destination', folder]);
  const packed: Packed = Object.values<Packed>(JSON.parse(answer))[0]!;
  tarball = `${folder}/${packed.filename}`;
  files = packed.files.map((file) => file.path);
});

function run(program: string, args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function gzipKb(...paths: string[]): number {
  const sizes = paths.map((path) => gzipSync(readFileSync(path), { level: 9 }).length);
  return sizes.reduce((total, size) => total + size, 0) / 1024;
}

/** A script of dist/ and all that it imports, statically, and so loads before it runs. */
function withImports(path: string, seen = new Set<string>()): string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const imports = readFileSync(path, 'utf8').matchAll(/\b(?:from|import)\s*"(\.[^"]+)"/g);
  for (const [, name = ''] of imports) withImports(join(dirname(path), name), seen);
  return [...seen];
}

describe('the packed package', () => {
  it('holds what users need and nothing else', () => {
    const unexpected = files.filter((path) => !/^dist\/.*\.(js|js\.map|d\.ts)$/.test(path));

    expect(unexpected.sort()).toEqual([
      'LICENSE',
      ...(files.includes('README.md') ? ['README.md'] : []),
      'THIRD-PARTY-NOTICES.txt',
      'dist/entitable-http.wasm',
      'dist/entitable-server.wasm',
      'dist/entitable-verify.wasm',
      'dist/entitable.wasm',
      'package.json',
    ]);
  });

  it('has every file that an entry of its exports names', () => {
    const named = JSON.stringify(manifest.exports).match(/dist\/[^"]+/g);

    expect(files).toEqual(expect.arrayContaining(named!));
  });

  it('has names that a person can read', () => {
    expect(files.filter((path) => /[-.](?=\w*\d)[A-Z\d]{6,}\./.test(path))).toEqual([]);
  });

  it('lists the files of each entry', async () => {
    const { filesOf } = await import(/* @vite-ignore */ pathToFileURL('dist/files.js').href);
    const listed = (...names: string[]) =>
      (filesOf(...names) as string[]).map((url) => url.replace(pathToFileURL('.').href + '/', ''));

    const main = listed('entitable', 'entitable/storage/indexeddb');
    expect(files).toEqual(expect.arrayContaining(main));
    expect(main).toEqual([...new Set(main)]);
    expect(main).toEqual(
      expect.arrayContaining([
        'dist/index.js',
        'dist/entitable.wasm',
        'dist/import.js',
        'dist/storage/indexeddb.js',
      ]),
    );
    expect(main.join()).not.toMatch(/http|verify|text|inline/);
    expect(listed('entitable/inline')).toContain('dist/entitable-text.js');
    expect(() => filesOf('entitable/none')).toThrow('"entitable/none" is no entry of the package.');
  });

  it('has its entries where Parcel looks for them, which reads no exports', () => {
    const entries = Object.entries(manifest.exports as Record<string, { default?: string }>)
      .map(([path, entry]) => [path, entry.default] as const)
      .filter(([path, main]) => path !== '.' && main);

    expect(manifest.main).toBe(manifest.exports['.'].default);
    expect(manifest.alias).toEqual(Object.fromEntries(entries));
  });

  it('depends on no other package', () => {
    expect(Object.keys(manifest)).not.toContain('dependencies');
    expect(Object.keys(manifest)).not.toContain('peerDependencies');
    expect(Object.keys(manifest)).not.toContain('optionalDependencies');
  });

  it('names all that is compiled into its module', () => {
    const notices = readFileSync('THIRD-PARTY-NOTICES.txt', 'utf8');

    for (const name of ['simdjson', 'libc++', 'musl', 'Emscripten']) {
      expect(notices).toContain(name);
    }
  });

  it('has nothing for publint to say', async () => {
    const bytes = new Uint8Array(readFileSync(tarball)).buffer;
    const { messages } = await publint({ pack: { tarball: bytes } });

    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
  });

  it('has types that resolve for every ESM user', () => {
    const options = ['--profile', 'esm-only', '--no-emoji', '--no-color'];
    const modules = ['./entitable.wasm', './entitable-http.wasm', './entitable-verify.wasm'];
    const ignored = ['--exclude-entrypoints', ...modules];

    expect(() => run('node_modules/.bin/attw', [tarball, ...options, ...ignored])).not.toThrow();
  });
});

describe('the download', () => {
  it(`of the WebAssembly module is at most ${MAX_WASM_KB} KB`, () => {
    expect(gzipKb('dist/entitable.wasm')).toBeLessThanOrEqual(MAX_WASM_KB);
  });

  it(`of the main entry with the glue is at most ${MAX_JAVASCRIPT_KB} KB`, () => {
    expect(gzipKb(...withImports('dist/index.js'))).toBeLessThanOrEqual(MAX_JAVASCRIPT_KB);
  });

  it('of an app with IndexedDB is about what the README says', () => {
    const [, stated] = /about (\d+) KB with gzip/.exec(readFileSync('README.md', 'utf8'))!;
    const seen = new Set<string>();
    for (const entry of ['index', 'storage/indexeddb']) withImports(`dist/${entry}.js`, seen);
    const bytes = 1024 * gzipKb('dist/entitable.wasm', ...seen);

    expect(Math.abs(bytes / 1000 / Number(stated) - 1)).toBeLessThan(0.05);
  });

  it('of the module as text is hardly larger than the module', () => {
    const names = ['entitable', 'entitable-http', 'entitable-verify'];

    for (const name of names) {
      expect(gzipKb(`dist/${name}-text.js`)).toBeLessThanOrEqual(
        1.03 * gzipKb(`dist/${name}.wasm`),
      );
    }
    const inline = gzipKb(...withImports('dist/inline.js'));
    expect(inline).toBeLessThanOrEqual(gzipKb(...withImports('dist/index.js')) + 0.5);
  });

  it(`of a storage for browsers is at most ${MAX_BROWSER_STORAGE_KB} KB`, () => {
    for (const name of ['indexeddb', 'memory', 'persistence']) {
      expect(gzipKb(...withImports(`dist/storage/${name}.js`))).toBeLessThanOrEqual(
        MAX_BROWSER_STORAGE_KB,
      );
    }
  });

  it('of another entry never includes the module or its glue', () => {
    const entries = readdirSync('dist/storage').filter((name) => name.endsWith('.js'));

    expect(entries.sort()).toEqual([
      'contract.js',
      'file.js',
      'indexeddb.js',
      'memory.js',
      'persistence.js',
      'shared.js',
    ]);
    for (const name of entries) {
      expect(gzipKb(...withImports(`dist/storage/${name}`))).toBeLessThanOrEqual(MAX_STORAGE_KB);
    }
  });

  it('of the HTTP front is another module and another glue', () => {
    const scripts = withImports('dist/http.js').map((path) => readFileSync(path, 'utf8'));

    expect(gzipKb('dist/entitable-http.wasm')).toBeLessThanOrEqual(MAX_HTTP_WASM_KB);
    expect(gzipKb(...withImports('dist/http.js'))).toBeLessThanOrEqual(MAX_HTTP_JAVASCRIPT_KB);
    expect(scripts.join()).not.toContain('./entitable.wasm');
  });

  it('needs Node only in the entry for servers and in the command', () => {
    const scripts = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        name.endsWith('.js') && /\bfrom\s*"node:/.test(readFileSync(`dist/${name}`, 'utf8')),
    );

    expect(scripts.sort()).toEqual(['cli.js', 'storage/file.js']);
  });
});
