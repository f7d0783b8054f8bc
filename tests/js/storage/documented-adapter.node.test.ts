import { mkdirSync, writeFileSync } from 'node:fs';

import { build } from 'esbuild';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

import { openAccount } from '../../../js/src/index.js';
import { storageContract } from '../../../js/src/storage/contract.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';
import { exampleNamed } from '../../../scripts/lib/documents.mjs';

// The example of the guide, unchanged.
const page = 'docs/guides/storage-adapter.md';
const code = exampleNamed(page, 'storage.ts');
const usage = exampleNamed(page, 'storage.test.ts');
const short = exampleNamed(page, 'short-values.ts');

let databaseStorage: (database: object) => PageStorage;
let shortStorage: (database: object) => PageStorage;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: `${short}\n${code}`, loader: 'ts', resolveDir: '.' },
    bundle: true,
    write: false,
    format: 'esm',
  });
  ({ databaseStorage, shortStorage } = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`
  ));
});

/** One such database. */
function emptyDatabase() {
  let values = new Map<string, Uint8Array>();
  return {
    get: (key: string) => values.get(key),
    put: (key: string, value: Uint8Array) => void values.set(key, value),
    delete: (key: string) => void values.delete(key),
    list: (start: string, end: string) =>
      [...values].filter(([key]) => start <= key && key < end).sort(),
    transaction<T>(work: () => T): T {
      const before = new Map(values);
      try {
        return work();
      } catch (error) {
        values = before;
        throw error;
      }
    },
  };
}

describe('the adapter of the documentation', () => {
  it.each(storageContract)('$name', ({ run }) => run(() => databaseStorage(emptyDatabase())));

  // A batch has at most 800 KB, and a value 64 KiB.
  it.each(storageContract)('with short values: $name', ({ run }) =>
    run(
      () => {
        const database = emptyDatabase();
        let bytes = 0;
        return shortStorage({
          ...database,
          put(key: string, value: Uint8Array) {
            bytes += value.length;
            if (value.length > 65_536 || bytes > 800_000 + 65_536) throw new Error('too long');
            database.put(key, value);
          },
          transaction<T>(work: () => T): T {
            bytes = 0;
            return database.transaction(work);
          },
        });
      },
      { maxValueBytes: 65_536 },
    ),
  );

  it('keeps an account', async () => {
    const storage = databaseStorage(emptyDatabase());
    const account = await openAccount({ storage });
    await account.createTable('Pets');
    await account.close();

    const again = await openAccount({ storage });
    expect((await again.listTables().next()).value).toEqual({ name: 'Pets' });
    await again.close();
  });

  it('refuses a commit when its database throws', async () => {
    const database = emptyDatabase();
    const cause = new Error('full');
    const storage = databaseStorage({
      ...database,
      put: () => {
        throw cause;
      },
    });

    const batch = { expect: [], puts: [['log/1', Uint8Array.of(1)] as const], deletes: [] };
    expect(await storage.commit(batch)).toEqual({ outcome: 'refused', cause });
  });

  it('compiles under the strictest rules, and so does its test', { timeout: 60_000 }, () => {
    mkdirSync('build/documented-adapter', { recursive: true });
    const file = 'build/documented-adapter/adapter.ts';
    const around = `
      declare function test(name: string, work: () => Promise<void>): void;
      declare function emptyDatabase(): Database;
    `;
    writeFileSync(
      file,
      `${usage.split('\n')[0]}\n${short}\n${code}${around}${usage.split('\n').slice(1).join('\n')}`,
    );
    const tsconfig = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path));
    const program = ts.createProgram([file], {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: [
        'lib.es2023.d.ts',
        'lib.esnext.disposable.d.ts',
        'lib.dom.d.ts',
        'lib.dom.iterable.d.ts',
        'lib.dom.asynciterable.d.ts',
      ],
      paths: tsconfig.config.compilerOptions.paths,
      pathsBasePath: process.cwd(),
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    });

    // The sources of the package are checked as a whole elsewhere.
    const said = ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(said).toEqual([]);
  });
});
