// server.mjs - a static file server for one folder, as strict as a good host is.

import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve, sep } from 'node:path';

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

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
 * Serves `folder` and returns { url, close }.  A port in use makes way for the next
 * one; port 0 takes any.  `headers` come with every file, in the place of the usual ones.
 */
export async function serve(folder, { port, host = '127.0.0.1', headers = {} }) {
  const root = resolve(folder);
  const all = { ...HEADERS, ...headers };
  const server = createServer((request, response) => answer(root, all, request, response));
  const last = port + 20;
  for (;;) {
    try {
      await listen(server, port, host);
      break;
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || port >= last) throw error;
      port += 1;
    }
  }
  const close = () =>
    new Promise((done) => {
      server.close(done);
      server.closeAllConnections();
    });
  return { url: `http://localhost:${server.address().port}/`, close };
}

function listen(server, port, host) {
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      done();
    });
  });
}

function answer(root, headers, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405);
  const file = findFile(root, request.url);
  if (!file) return end(response, 404);
  response.writeHead(200, {
    ...headers,
    'content-type': TYPES[extname(file.path)] ?? 'application/octet-stream',
    'content-length': file.size,
  });
  if (request.method === 'HEAD') return response.end();
  createReadStream(file.path)
    .on('error', () => response.destroy())
    .pipe(response);
}

function end(response, status) {
  response.writeHead(status, { ...HEADERS, 'content-type': 'text/plain' }).end(`${status}\n`);
}

// Never leaves the root: normalize() resolves every `..` before it is joined.
function findFile(root, url) {
  try {
    const asked = normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname));
    const path = join(root, asked.endsWith(sep) ? `${asked}index.html` : asked);
    const stats = statSync(path);
    return stats.isFile() && path.startsWith(root + sep) ? { path, size: stats.size } : undefined;
  } catch {
    return undefined; // No such file, or a path that is not well formed.
  }
}
