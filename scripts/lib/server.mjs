// server.mjs - Vite's server of static files, with the headers of a strict host.

import { resolve } from 'node:path';

// No inline script or style, no other host, no eval: 'wasm-unsafe-eval' allows
// compiling WebAssembly and nothing else.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/**
 * Serves `folder` at the path `base` and returns { url, close }.  A port in use makes way for the
 * next one; port 0 takes any.  `headers` come with every file, in the place of the usual ones.
 */
export async function serve(folder, { port, host = '127.0.0.1', base = '/', headers = {} }) {
  // Not imported above, because this file is read before the packages are installed.
  const { preview } = await import('vite');
  const server = await preview({
    // What is served has been built; nothing of its configuration matters here.
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    // A file that is missing is answered by 404 and not by the page.
    appType: 'mpa',
    base,
    build: { outDir: resolve(folder) },
    preview: {
      ...{ port, host, headers: { ...HEADERS, ...headers } },
      ...{ allowedHosts: true, cors: false },
    },
  });
  const url = `http://localhost:${server.httpServer.address().port}${base}`;
  return { url, close: () => server.close() };
}
