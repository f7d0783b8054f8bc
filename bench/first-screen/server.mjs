// server.mjs - serves built pages as a host on the web does: compressed, with files that may be
// cached for ever, and over a network that may be slow.
//
// The network is here and not in the driver of the browser, because the driver would leave out
// what workers fetch. The first folder of an address is the number of a visit, and has no other
// meaning: the browser has nothing of a new one in its cache.

import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

// As Lighthouse has it for a phone: 1.6 Mbit/s.
const SLOW = { bytesPerMs: 200, latencyMs: 150 };
const PIECE_BYTES = 4096;

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

export class Network {
  /** Whether it is as slow as that of a phone. */
  isSlow = false;
  #freeAt = 0;
  #carried = [];

  /** The bytes of the files that it has carried between two times of the clock. */
  bytesBetween(from, until) {
    const within = this.#carried.filter(({ at }) => at >= from && at <= until);
    return within.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Sends a file. Its pieces share the line with those of others. */
  async carry(content, response) {
    if (this.isSlow) await this.#carrySlowly(content, response);
    else response.write(content);
    // A page that was closed got no more.
    if (response.destroyed) return;
    response.end();
    this.#carried.push({ at: Date.now(), bytes: content.length });
  }

  async #carrySlowly(content, response) {
    await untilTime(performance.now() + SLOW.latencyMs);
    for (let at = 0; at < content.length && !response.destroyed; at += PIECE_BYTES) {
      const piece = content.subarray(at, at + PIECE_BYTES);
      const begin = Math.max(this.#freeAt, performance.now());
      this.#freeAt = begin + piece.length / SLOW.bytesPerMs;
      await untilTime(this.#freeAt);
      response.write(piece);
    }
  }
}

const untilTime = (time) => new Promise((resolve) => setTimeout(resolve, time - performance.now()));

/** Serves `folder` over `network`; returns { url, close }. */
export async function serveSite(folder, network) {
  const files = new Map();
  for (const path of readdirSync(folder, { recursive: true })) {
    if (extname(path) in TYPES) files.set(path, gzipSync(readFileSync(join(folder, path))));
  }
  const server = createServer((request, response) => {
    const path = /^\/\d+\/([^?]*)/.exec(request.url)?.[1];
    const content = files.get(path);
    if (!content) return void response.writeHead(404).end();
    const isPage = path.endsWith('.html');
    response.writeHead(200, {
      'content-type': TYPES[extname(path)],
      'content-encoding': 'gzip',
      'content-length': content.length,
      'cache-control': isPage ? 'no-cache' : 'max-age=31536000, immutable',
    });
    void network.carry(content, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://localhost:${server.address().port}`, close: () => server.close() };
}
