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

  /**
   * Whether the build gets a service worker, `sw.js`, with which the app opens without a network.
   * By default false. It keeps the files of the build, and the page has to register it.
   */
  readonly offline?: boolean;
}

/** A chunk or another file of a build, as far as the plugin looks at it. */
export interface BuiltFile {
  readonly type: string;
  readonly fileName: string;
  readonly code?: string;
  readonly source?: string | Uint8Array;
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
  readonly bundle?: BuiltFiles;
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
  readonly generateBundle: {
    readonly order: 'post';
    readonly handler: (this: BuildContext, output: unknown, bundle: BuiltFiles) => Promise<void>;
  };
}

/** The files of a build, by their names. */
export type BuiltFiles = Readonly<Record<string, BuiltFile>>;

/** What a plugin of Vite may do while a build is written. */
export interface BuildContext {
  emitFile(file: { type: 'asset'; fileName: string; source: string }): unknown;
}

// The modules of the entries without sync, which an app with sync never loads.
const WITHOUT_SYNC = /(^|\/)entitable-(first|rest)-[^/]*\.wasm$/;
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
export function entitable({
  worker = true,
  offline = false,
}: EntitablePluginOptions = {}): EntitablePlugin {
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
    generateBundle: {
      order: 'post',
      async handler(_output, bundle) {
        if (!offline) return;
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: await offlineWorker(bundle) });
      },
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
function reachedFrom(files: readonly string[], bundle: BuiltFiles) {
  const reached = new Set(files);
  for (const file of reached) for (const next of bundle[file]?.imports ?? []) reached.add(next);
  return [...reached].flatMap((file) => bundle[file] ?? []);
}

// Chunks name a file beside them, or from the root.
const names = ({ code = '' }: BuiltFile, file: string) => code.includes(file.split('/').at(-1)!);

// From a page to the root of the site.
const upFrom = (path: string) => '../'.repeat(path.split('/').filter(Boolean).length - 1) || './';

/** The script of a service worker that keeps the files of this build, and serves them. */
async function offlineWorker(bundle: BuiltFiles): Promise<string> {
  const names = Object.keys(bundle);
  const hasSync = names.some((name) => /(^|\/)entitable-sync-first-/.test(name));
  const kept = names.filter(
    (name) => !name.endsWith('.map') && !(hasSync && WITHOUT_SYNC.test(name)),
  );
  // Hosts answer the name of such a page with a redirection, which a worker may not pass on.
  const files = kept.map((name) => `./${name.replace(/(^|\/)index\.html$/, '$1')}`);
  // The names of scripts change with their contents. Those of pages do not.
  const pages = kept.filter(isPage).map((name) => String(bundle[name]!.source));
  const text = new TextEncoder().encode([...files, ...pages].join('\n'));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text)).slice(0, 8);
  const build = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `const BUILD = '${build}';\nconst FILES = ${JSON.stringify(files, null, 2)};\n${WORKER}`;
}

const isPage = (name: string) => name.endsWith('.html');

// Pages that are open go on with the files of their build: the browser activates a later worker,
// which deletes these, when the last of them is closed.
const WORKER = `
const PREFIX = registration.scope + ' ';
const CACHE = PREFIX + BUILD;

async function keepFiles() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: 'no-cache' })));
}

async function deleteOlder() {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(older.map((name) => caches.delete(name)));
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  const isPage = request.mode === 'navigate';
  const kept = await cache.match(request, { ignoreSearch: isPage, ignoreVary: true });
  if (kept) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    const start = isPage && (await cache.match('./', { ignoreVary: true }));
    if (start) return start;
    throw error;
  }
}

addEventListener('install', (event) => event.waitUntil(keepFiles()));
addEventListener('activate', (event) => event.waitUntil(deleteOlder()));
addEventListener('fetch', (event) => {
  const { request } = event;
  const isOurs = request.method === 'GET' && new URL(request.url).origin === location.origin;
  if (isOurs) event.respondWith(answer(request));
});
`;
