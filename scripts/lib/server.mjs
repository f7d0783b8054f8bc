// server.mjs - serves static files with Vite, and with the headers of a strict host.

import { resolve } from 'node:path';

// No inline script or style, no other host, no eval. 'wasm-unsafe-eval' only allows compiling
// WebAssembly.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

// Its pages have policies of their own, as strict as `POLICY`, and the page of remote accounts may
// call any of them. A header and the policy in a page both apply, so the header has to allow that.
const DEMO_POLICY = POLICY.replace(
  "connect-src 'self'",
  "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
);

/** Serves the built demo, as `serve` does. */
export function serveDemo(options) {
  const headers = { 'content-security-policy': DEMO_POLICY };
  return serve('web-demo/dist', { ...options, headers });
}

/**
 * Serves `folder` at the path `base` and returns { url, close }. If the port is in use, it takes
 * the next one; for port 0 any. Each file has the usual headers, and `headers`, which replace usual
 * ones.
 */
export async function serve(folder, { port, host = '127.0.0.1', base = '/', headers = {} }) {
  // A static import would fail, because this file is read before the packages are installed.
  const { preview } = await import('vite');
  const server = await preview({
    // The files are built, so no configuration matters here.
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    // The answer to a missing file is 404, not the page.
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
