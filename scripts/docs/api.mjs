// api.mjs - the reference of the API: pages in Markdown, from the comments of the sources.

import { readPackage } from '../lib/project.mjs';
import { Problem } from '../lib/terminal.mjs';

/** The sources of the entries that people import, by their names; `inline` repeats another one. */
function entrySources() {
  const entries = Object.entries(readPackage().exports)
    .filter(([path, entry]) => entry.types && !/inline|service-worker/.test(path))
    .map(([path, { types }]) => [
      path.replace(/^\./, 'entitable'),
      types.replace('./dist/', 'js/src/').replace('.d.ts', '.ts'),
    ]);
  return new Map(entries);
}

/** Writes the pages into a folder; fails if a comment names something that is not there. */
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

// What TypeDoc calls a source.
const moduleOf = (source) => source.replace('js/src/', '').replace('.ts', '');
