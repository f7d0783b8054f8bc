// A name that an entry's types promise is there in every script that its `exports` may choose.

import { readFileSync } from 'node:fs';

import { build } from 'esbuild';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

type Target = string | { readonly [condition: string]: Target };

const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Record<string, Target>;
};

/** All paths in a target, under whatever conditions. */
const pathsIn = (target: Target): string[] =>
  typeof target === 'string' ? [target] : Object.values(target).flatMap(pathsIn);

const ENTRIES = Object.entries(exports)
  .map(([entry, target]) => {
    const paths = [...new Set(pathsIn(target))];
    const scripts = paths.filter((path) => path.endsWith('.js'));
    return { entry, types: paths.find((path) => path.endsWith('.d.ts'))!, scripts };
  })
  .filter(({ scripts }) => scripts.length > 0);

/** The names in declarations that a program may use as values. */
function valuesIn(files: readonly string[]): string[][] {
  const program = ts.createProgram(files, {
    ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, types: [] },
    ...{ moduleResolution: ts.ModuleResolutionKind.Bundler, skipLibCheck: true },
  });
  const checker = program.getTypeChecker();
  return files.map((file) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
    const names = checker.getExportsOfModule(module).map(({ name }) => name);
    // Names that are exported as types alone are no properties, even if they name values.
    const type = checker.getTypeOfSymbol(module);
    return names.filter((name) => checker.getPropertyOfType(type, name)).sort();
  });
}

/** The names that each script exports. */
async function exportsOf(scripts: readonly string[]): Promise<Map<string, readonly string[]>> {
  const { metafile } = await build({
    ...{ entryPoints: [...scripts], outdir: 'out', outbase: '.' },
    ...{ bundle: false, format: 'esm', write: false, metafile: true },
  });
  return new Map(
    Object.values(metafile.outputs).map((output) => [`./${output.entryPoint}`, output.exports]),
  );
}

describe('an entry of the package', () => {
  it('exports the same values from each of its scripts as its types have', async () => {
    const promised = valuesIn(ENTRIES.map(({ types }) => types));
    const scripts = await exportsOf([...new Set(ENTRIES.flatMap((entry) => entry.scripts))]);

    const found = ENTRIES.flatMap(({ entry, scripts: targets }) =>
      targets.map((script) => ({ entry, script, names: [...scripts.get(script)!].sort() })),
    );
    const expected = ENTRIES.flatMap(({ entry, scripts: targets }, i) =>
      targets.map((script) => ({ entry, script, names: promised[i]! })),
    );
    expect(expected.find(({ entry }) => entry === '.')!.names).toContain('openAccount');
    expect(found).toEqual(expected);
  });
});
