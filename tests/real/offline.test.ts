// The service worker of docs/guides/offline.md in each browser: the official client works in a page
// without a network.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { makeWorkerSite } from '../package/support/worker-site.js';
import { freshProfile, startBrowser } from './support/browser.js';
import { ENGINES } from './support/engines.js';

/** Hears the titles of pages, and answers each with what the page is to do next. */
async function openListener() {
  const titles: string[] = [];
  let next = '';
  const server = createServer((request, response) => {
    const title = new URL(request.url!, 'http://localhost').searchParams.get('title');
    if (title && title !== titles.at(-1)) titles.push(title);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.end(next);
    next = '';
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, titles, reload: () => (next = 'reload') };
}

// Says its title every 100 ms.
const telling = (url: string) => `<script>
  setInterval(async () => {
    const answer = await fetch('${url}/?title=' + encodeURIComponent(document.title));
    if ((await answer.text()) === 'reload') location.reload();
  }, 100);
</script>`;

describe.each(ENGINES)('a page of %s without a network', (engine) => {
  it('has its files and its entities from the service worker, with the official client', async () => {
    const listener = await openListener();
    const folder = `build/offline-${engine}`;
    await makeWorkerSite(folder, telling(listener.url));
    const headers = {
      'content-security-policy': "default-src * 'unsafe-inline' 'wasm-unsafe-eval'",
    };
    const site = await serve(folder, { port: 0, headers });
    await startBrowser(engine, freshProfile(), [site.url]);
    const { titles } = listener;
    await expect.poll(() => titles.at(-1), { timeout: 30_000 }).toBe('1 visits');

    await site.close();
    listener.reload();

    await expect.poll(() => titles.at(-1), { timeout: 30_000 }).toBe('2 visits');
  });
});
