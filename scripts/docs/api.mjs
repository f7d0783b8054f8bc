// api.mjs - writes the API reference: pages in Markdown, from the comments of the sources.

import { readPackage } from '../lib/project.mjs';
import { Problem } from '../lib/terminal.mjs';

/**
 * The sources of the entries, by their names. `inline` is missing, because it repeats another one.
 */
function entrySources() {
  const entries = Object.entries(readPackage().exports)
    .filter(([path, entry]) => entry.types && !/inline|service-worker/.test(path))
    .map(([path, { types }]) => [
      path.replace(/^\./, 'entitable'),
      types.replace('./dist/', 'js/src/').replace('.d.ts', '.ts'),
    ]);
  return new Map(entries);
}

/** Writes the pages into a folder. Fails if a comment links to a missing declaration. */
export async function writeApiReference(out) {
  const { Application } = await import('typedoc');
  const sources = entrySources();
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: [...sources.values()],
    tsconfig: 'tsconfig.json',
    outputs: [{ name: 'markdown', path: out }],
    readme: 'none',
    name: 'API',
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    disableSources: true,
    router: 'member',
    entryFileName: 'index',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    sanitizeComments: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'list',
    logLevel: 'Warn',
  });
  const project = await app.convert();
  if (!project) throw new Problem('the sources of the API reference do not compile');
  const names = new Map([...sources].map(([name, source]) => [moduleOf(source), name]));
  for (const module of project.children) module.name = names.get(module.name) ?? module.name;
  await app.generateOutputs(project);
}

// TypeDoc's name of a source.
const moduleOf = (source) => source.replace('js/src/', '').replace('.ts', '');
