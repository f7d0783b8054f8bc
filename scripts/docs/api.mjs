// api.mjs - writes the API reference: pages in Markdown, from the comments of the sources.

import { ENTRIES, importedName, REPEATING } from '../lib/package-entries.mjs';
import { Problem } from '../lib/terminal.mjs';

/**
 * The sources of the entries, by their names.
 */
function entrySources() {
  const documented = ENTRIES.filter((name) => !REPEATING.includes(name));
  return new Map(documented.map((name) => [importedName(name), `js/src/${name}.ts`]));
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
