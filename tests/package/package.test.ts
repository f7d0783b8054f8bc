import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path/posix';
import { pathToFileURL } from 'node:url';

import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { describe, expect, it } from 'vitest';

import { packed } from './support/packed.js';

// The driver is by others.
const DRIVER = 'dist/server/postgres-pool.js';
// Pages load it as it is.
const ONE_SCRIPT = 'dist/entitable.js';
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const { tarball, files } = packed();

function run(program: string, args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The scripts of dist/, without the modules as text. */
function scripts(): string[] {
  return readdirSync('dist', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') && !name.endsWith('-text.js'))
    .map((name) => `dist/${name}`);
}

describe('the packed package', () => {
  it('has the files for users and no others', () => {
    const isCode = /^(dist\/.*\.(js|js\.map|d\.ts|d\.ts\.map)|js\/src\/.*\.ts)$/;
    const isPage = /^docs\/[\w/-]+\.(md|svg|png)$/;
    const unexpected = files.filter((path) => !isCode.test(path) && !isPage.test(path));

    expect(unexpected.sort()).toEqual([
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'LICENSE',
      ...(files.includes('README.md') ? ['README.md'] : []),
      'SECURITY.md',
      'THIRD-PARTY-NOTICES.txt',
      'dist/entitable-first.wasm',
      'dist/entitable-rest.wasm',
      'dist/entitable-server.wasm',
      'dist/entitable-sync-first.wasm',
      'dist/entitable-sync-rest.wasm',
      'dist/entitable-sync.wasm',
      'dist/entitable-verify.wasm',
      'dist/entitable.wasm',
      'package.json',
      'templates/docker/Dockerfile',
      'templates/docker/compose.yml',
      'templates/edge/.dev.vars.example',
      'templates/edge/package.json',
      'templates/edge/src/index.js',
      'templates/edge/wrangler.toml',
    ]);
  });

  it('has every file that its package.json names', () => {
    const { main, bin, exports, alias, imports } = manifest;
    const named = JSON.stringify({ main, bin, exports, alias, imports }).match(
      /"[^"]*\/[^"]*"(?!:)/g,
    );
    const paths = named!.map((text) => join(JSON.parse(text)));

    expect(paths).toContain('dist/index.js');
    expect(paths.filter((path) => !files.includes(path))).toEqual([]);
  });

  it('has every page that its README, its comments and its messages name', () => {
    const texts = [
      'README.md',
      ...files.filter((path) => path !== DRIVER && /^(js\/src|dist)\/.*\.[tj]s$/.test(path)),
    ];
    const named = texts.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/\bdocs\/[\w/-]*(?:\.md)?/g)].map(([page]) => page),
    );

    expect(named).toContain('docs/guides/bundlers.md');
    expect(named.filter((page) => !files.some((path) => path.startsWith(page)))).toEqual([]);
  });

  // npm shows the README without the other files of the project.
  it('has a README that links to nothing beside the package', () => {
    const text = readFileSync('README.md', 'utf8');
    const links = [...text.matchAll(/\]\(([^)\s]+)|\b(?:src|href)="([^"]+)"|^\[[^\]]+\]: *(\S+)/gm)]
      .map(([, inText, inTag, below]) => inText ?? inTag ?? below!)
      .filter((link) => !/^(#|https?:)/.test(link));

    expect(links.filter((link) => !files.includes(join(link.split('#')[0]!)))).toEqual([]);
  });

  it('has hooks that a server of React takes for those of the client', () => {
    expect(readFileSync('dist/react.js', 'utf8')).toMatch(/^"use client";/);
  });

  it('is published for everybody, with its provenance', () => {
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
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
        'dist/entitable-first.wasm',
        'dist/entitable-rest.wasm',
        'dist/transfer/import.js',
        'dist/storage/indexeddb.js',
      ]),
    );
    expect(main.join()).not.toMatch(/http|verify|text|inline|warnings/);
    expect(listed('entitable/inline')).toContain('dist/entitable-text.js');
    expect(() => filesOf('entitable/none')).toThrow('The package has no entry "entitable/none".');
  });

  it('leaves it to the bundler of an app whether it is developed', () => {
    const texts = ['common', 'client/shared'].map((name) =>
      readFileSync(`dist/${name}.js`, 'utf8'),
    );

    expect(texts.join('').match(/(?<=process\.env\.NODE_ENV ).*?"\w+"/g)).toEqual([
      '=== "development"',
      '!== "production"',
    ]);
    // Where a page without a bundler finds it.
    expect(files).toContain('dist/warnings/watch.js');
  });

  it('has entries for Parcel, which does not read exports', () => {
    const entries = Object.entries(manifest.exports as Record<string, { default?: string }>)
      .map(([path, entry]) => [path, entry.default] as const)
      .filter(([path, main]) => path !== '.' && main);

    expect(manifest.main).toBe(manifest.exports['.'].default);
    expect(manifest.alias).toEqual(Object.fromEntries(entries));
  });

  it('depends on no other package, but for the frameworks that an app has', () => {
    const optional = Object.keys(manifest.peerDependencies as object).map((name) => [
      name,
      { optional: true },
    ]);

    expect(Object.keys(manifest)).not.toContain('dependencies');
    expect(manifest.peerDependenciesMeta).toEqual(Object.fromEntries(optional));
    expect(Object.keys(manifest)).not.toContain('optionalDependencies');
  });

  it('names all that is compiled into its module', () => {
    const notices = readFileSync('THIRD-PARTY-NOTICES.txt', 'utf8');

    for (const name of ['simdjson', 'libc++', 'musl', 'Emscripten']) {
      expect(notices).toContain(name);
    }
  });

  it('names every package that is bundled into its server', () => {
    const notices = readFileSync('THIRD-PARTY-NOTICES.txt', 'utf8');
    const [listed] = notices.split(`\`${DRIVER}\``)[1]!.split('----');
    const script = readFileSync(DRIVER, 'utf8');
    const bundled = [...script.matchAll(/^\/\/ .*node_modules\/([^/]+)/gm)].map(
      ([, name]) => name!,
    );

    expect(bundled).toContain('pg-protocol');
    const isListed = (name: string) => new RegExp(`^(.*, )?${name}(,.*)?$`, 'm').test(listed!);
    expect([...new Set(bundled)].filter((name) => !isListed(name))).toEqual([]);
  });

  it('passes publint', async () => {
    const bytes = new Uint8Array(readFileSync(tarball)).buffer;
    const { messages } = await publint({ pack: { tarball: bytes } });

    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
  });

  it('has types that resolve for every ESM user', () => {
    const options = ['--profile', 'esm-only', '--no-emoji', '--no-color'];
    const names = ['entitable', 'entitable-sync', 'entitable-verify'];
    const modules = names.map((name) => `./${name}.wasm`);
    const ignored = ['--exclude-entrypoints', ...modules];

    expect(() => run('node_modules/.bin/attw', [tarball, ...options, ...ignored])).not.toThrow();
  });
});

describe('the scripts', () => {
  it('are as a person would read them: nothing is shortened', () => {
    const own = scripts().filter((path) => path !== DRIVER && path !== ONE_SCRIPT);
    const longest = own.map((path) => {
      const lines = readFileSync(path, 'utf8').split('\n');
      return [path, Math.max(...lines.map((line) => line.length))] as const;
    });

    // The bundler lists the variables of a file in one line.
    expect(longest.filter(([, length]) => length > 400)).toEqual([]);
    expect(readFileSync('dist/entity/odata.js', 'utf8')).toContain('function escapeQuotes(text) {');
  });

  it('need Node only in the storage for servers, in the server and in the command', () => {
    const needy = scripts().filter((path) => /\bfrom\s*"node:/.test(readFileSync(path, 'utf8')));

    expect(needy).toContain('dist/cli.js');
    expect(needy.filter((path) => !/^dist\/(cli|server|storage\/file)/.test(path))).toEqual([]);
  });

  it('have maps to sources that are in the package, once', () => {
    const maps = files.filter((path) => path.endsWith('.map'));
    expect(maps).toEqual(expect.arrayContaining(['dist/index.js.map', 'dist/index.d.ts.map']));

    for (const path of maps) {
      const map = JSON.parse(readFileSync(path, 'utf8')) as {
        sources: string[];
        sourcesContent?: string[];
      };
      expect(map.sourcesContent).toBeUndefined();
      expect(map.sources.length).toBeGreaterThan(0);
      const missing = map.sources.filter((source) => !files.includes(join(path, '..', source)));
      expect({ path, missing }).toEqual({ path, missing: [] });
    }
  });

  it.each(['index', 'service-worker'])(
    'let Node show the place in the source of %s where it failed',
    (entry) => {
      const { href } = pathToFileURL(`dist/${entry}.js`);
      const program = `import { odata } from '${href}'; try { odata\`\${Symbol()}\`; } catch (error) { console.log(error.stack); }`;

      const stack = run(process.execPath, [
        '--enable-source-maps',
        '--input-type=module',
        '-e',
        program,
      ]);

      const source = readFileSync('js/src/entity/odata.ts', 'utf8').split('\n');
      const [, line] = /toLiteral .*js\/src\/entity\/odata\.ts:(\d+)/.exec(stack)!;
      expect(source[Number(line) - 1]).toContain('throw invalidInput(');
    },
  );
});
