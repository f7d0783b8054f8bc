/**
 * The explorer of the tables, as a page of the server. Its scripts are those of the package.
 *
 * The page gets no secret. On a loopback address it connects with the public key of the emulator's
 * account, which everybody on the machine has anyway. For any other key, it asks for a signature.
 *
 * @module
 */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { HttpAnswer } from '../http.js';
import { DEVELOPMENT_ACCOUNT } from '../http/development-account.js';
import { isLoopback } from './http/hosts.js';
import type { CheckedServer } from './server-options.js';

/** Its path. No account has the name `-`, so there is no table at it. */
export const EXPLORER_PATH = '/-/explorer';

const ENTRIES = [
  ...['entitable', 'entitable/archive', 'entitable/explorer', 'entitable/remote'],
  'entitable/storage/memory',
];
const START = 'explorer/served.js';

const TYPES: Partial<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  wasm: 'application/wasm',
};

const IMPORTS = JSON.stringify({
  imports: Object.fromEntries(
    ENTRIES.map((entry) => [
      entry,
      `${EXPLORER_PATH}/${entry.replace(/^entitable\/?/, '') || 'index'}.js`,
    ]),
  ),
});

// Browsers take the list of imports inline only; the policy names its hash.
const HASH = createHash('sha256').update(IMPORTS).digest('base64');
const POLICY = [
  "default-src 'none'",
  `script-src 'self' 'wasm-unsafe-eval' 'sha256-${HASH}'`,
  "connect-src 'self'; img-src data: blob:",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

const HEADERS: [string, string][] = [
  ['Cache-Control', 'no-store'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
];

type Access = 'development' | 'anonymous' | 'signature';

/** The page and its scripts. */
export class ExplorerPage {
  readonly #html: string;

  constructor(options: CheckedServer) {
    this.#html = htmlOf(options.accounts[0]!.name, accessOf(options));
  }

  /** Whether a request asks for the page, or for one of its scripts. It needs no signature. */
  isAsked(method: string | undefined, target: string): boolean {
    return (method === 'GET' || method === 'HEAD') && /^\/-\/explorer(?=$|[/?])/.test(target);
  }

  async answer(target: string): Promise<HttpAnswer> {
    const name = pathOf(target);
    if (name === '') {
      return answerOf(200, Buffer.from(this.#html), [
        ['Content-Type', 'text/html; charset=utf-8'],
        ['Content-Security-Policy', POLICY],
      ]);
    }
    // A list of the package: no path leads out of it.
    if (!(await scripts()).has(name)) {
      return answerOf(404, Buffer.from('no such file\n'), [['Content-Type', 'text/plain']]);
    }
    const bytes = await readFile(new URL(name, import.meta.url));
    return answerOf(200, bytes, [['Content-Type', TYPES[name.split('.').at(-1)!]!]]);
  }
}

const pathOf = (target: string) => target.slice(EXPLORER_PATH.length).split('?', 1)[0]!.slice(1);

const answerOf = (
  status: number,
  body: HttpAnswer['body'],
  headers: readonly [string, string][],
): HttpAnswer => ({ status, headers: [...headers, ...HEADERS], body });

// The list is written when the package is built.
async function scripts(): Promise<ReadonlySet<string>> {
  const { default: files } = await import('#files');
  return new Set([START, ...ENTRIES.flatMap((entry) => files[entry] ?? [])]);
}

function accessOf({ host, accounts, authentication }: CheckedServer): Access {
  if (authentication === 'anonymous') return 'anonymous';
  const [{ name, keys }] = accounts as [(typeof accounts)[number]];
  const isEmulator = name === DEVELOPMENT_ACCOUNT.account && keys.includes(DEVELOPMENT_ACCOUNT.key);
  return isEmulator && isLoopback(host) ? 'development' : 'signature';
}

// The name has only letters and digits.
function htmlOf(account: string, access: Access): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="entitable-account" content="${account}" />
    <meta name="entitable-access" content="${access}" />
    <title>Tables of ${account}</title>
    <link rel="icon" href="data:," />
    <script type="importmap">${IMPORTS}</script>
    <script type="module" src="${EXPLORER_PATH}/${START}"></script>
  </head>
  <body>
    <noscript>This page is a program. It needs JavaScript.</noscript>
  </body>
</html>
`;
}
