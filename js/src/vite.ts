/**
 * A plugin of Vite, which makes the first read of a page faster and its build smaller. It is used
 * while an app is built, and no app has it.
 *
 * The first part of the module is the longest download, and a page asks for it only when its
 * scripts run. So the plugin names it in the head of the page, and beside it the script that opens
 * declared tables. The browser then fetches all of them while it reads the page.
 *
 * @module
 */

/** Options of `entitable()`. */
export interface EntitablePluginOptions {
  /**
   * Whether the app opens accounts in a worker that the package starts: with `worker: true`. By
   * default true. With false, the script of this worker is left out of the build, and so of a list
   * of files to keep for offline use. `openAccount({ worker: true })` then runs in the page.
   */
  readonly worker?: boolean;
}

/** A chunk or another file of a build, as far as the plugin looks at it. */
export interface BuiltFile {
  readonly type: string;
  readonly fileName: string;
  readonly code?: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly moduleIds?: readonly string[];
}

/** A tag for the head of a page. */
export interface HeadTag {
  readonly tag: 'link';
  readonly attrs: Readonly<Record<string, string | boolean>>;
  readonly injectTo: 'head';
}

/** The page that is built. */
export interface BuiltPage {
  /** Its path, from the root of the site. */
  readonly path: string;
  readonly bundle?: Readonly<Record<string, BuiltFile>>;
  readonly chunk?: BuiltFile;
}

/** The members of a plugin of Vite 5 or later that this one has. */
export interface EntitablePlugin {
  readonly name: string;
  readonly apply: 'build';
  configResolved(config: { readonly base: string }): void;
  transform(code: string, id: string): string | undefined;
  readonly transformIndexHtml: {
    readonly order: 'post';
    readonly handler: (html: string, page: BuiltPage) => HeadTag[];
  };
}

// The first part. The second one is fetched after the first list, and that of `entitable/recovery`
// at most once in the life of a page.
const MODULE = /(^|\/)entitable-(sync-)?first-[^/]*\.wasm$/;
// Vite 8 leaves the entry out, because it only exports what the other has.
const DECLARATIONS = /\/entitable\/dist\/schema(\/common)?\.js$/;
const OWN_ENTRY = /\/dist\/(index|inline)\.js$/;
const START_OF_WORKER = /new Worker\(new URL\("\.\/account-worker\.js",[^)]*\),[^)]*\)/;
const LEFT_OUT =
  '(() => { throw new Error("The build has no worker: entitable({ worker: false })"); })()';

/**
 * Returns the plugin.
 *
 * @example
 * ```ts
 * // vite.config.js
 * export default defineConfig({ plugins: [entitable({ worker: false })] });
 * ```
 */
export function entitable({ worker = true }: EntitablePluginOptions = {}): EntitablePlugin {
  let base = '/';
  return {
    name: 'entitable',
    apply: 'build',
    configResolved(config) {
      ({ base } = config);
    },
    transform(code, id) {
      if (worker || !OWN_ENTRY.test(id) || !START_OF_WORKER.test(code)) return undefined;
      return code.replace(START_OF_WORKER, LEFT_OUT);
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, page) => tagsFor(page, base),
    },
  };
}

function tagsFor({ path, bundle = {}, chunk }: BuiltPage, base: string): HeadTag[] {
  if (!chunk) return [];
  const root = base === '' || base === './' ? upFrom(path) : base;
  const atOnce = reachedFrom([chunk.fileName], bundle);
  const modules = Object.keys(bundle).filter(
    (file) => MODULE.test(file) && atOnce.some((one) => names(one, file)),
  );
  const opener = atOnce
    .flatMap(({ dynamicImports = [] }) => dynamicImports)
    .filter((file) =>
      bundle[file]?.moduleIds?.some((id) => /\/client\/account-tables\.js$/.test(id)),
    );
  const declares = atOnce.some(({ moduleIds = [] }) =>
    moduleIds.some((id) => DECLARATIONS.test(id)),
  );
  const scripts = declares
    ? reachedFrom(opener, bundle).filter((one) => !atOnce.includes(one))
    : [];
  return [
    ...modules.map((file) => ({
      rel: 'preload',
      as: 'fetch',
      type: 'application/wasm',
      href: root + file,
    })),
    ...scripts.map(({ fileName }) => ({ rel: 'modulepreload', href: root + fileName })),
  ].map((attrs) => ({ tag: 'link', attrs: { ...attrs, crossorigin: true }, injectTo: 'head' }));
}

/** The scripts that these ones need at once. */
function reachedFrom(files: readonly string[], bundle: NonNullable<BuiltPage['bundle']>) {
  const reached = new Set(files);
  for (const file of reached) for (const next of bundle[file]?.imports ?? []) reached.add(next);
  return [...reached].flatMap((file) => bundle[file] ?? []);
}

// Chunks name a file beside them, or from the root.
const names = ({ code = '' }: BuiltFile, file: string) => code.includes(file.split('/').at(-1)!);

// From a page to the root of the site.
const upFrom = (path: string) => '../'.repeat(path.split('/').filter(Boolean).length - 1) || './';
