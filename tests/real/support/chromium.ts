// chromium.ts - what only the browser's own protocol can do.

import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';

// Chromium writes there at which port it speaks the protocol.
const portFile = (profile: string) => join(profile, 'DevToolsActivePort');

/** To be called before it is started: an earlier one may have had another port. */
export function forgetProtocol(profile: string): void {
  rmSync(portFile(profile), { force: true });
}

/** Opens addresses, a tab each. */
export async function openTabs(profile: string, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    await fetch(`${await endpoint(profile)}/json/new?${encodeURI(url)}`, { method: 'PUT' });
  }
}

/** What the protocol does to one page. */
export interface Session {
  /** Rejects if the browser does. */
  send(method: string, parameters?: object): Promise<unknown>;
}

/**
 * A session with the page at an address, for the length of the test. By hand: Playwright has each
 * page that it knows believe that it is looked at, and no such page can be frozen.
 */
export async function sessionWith(profile: string, url: string): Promise<Session> {
  const targets = (await (await fetch(`${await endpoint(profile)}/json/list`)).json()) as Target[];
  const socket = new WebSocket(targets.find((each) => each.url === url)!.webSocketDebuggerUrl);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  let orders = 0;
  return {
    send(method, params = {}) {
      const id = ++orders;
      socket.send(JSON.stringify({ id, method, params }));
      return new Promise((resolve, reject) => {
        socket.on('message', function hear(data) {
          const answer = JSON.parse(String(data)) as Answer;
          if (answer.id !== id) return;
          socket.off('message', hear);
          if (answer.error) reject(new Error(`${method}: ${answer.error.message}`));
          else resolve(answer.result);
        });
      });
    },
  };
}

interface Target {
  readonly url: string;
  readonly webSocketDebuggerUrl: string;
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

async function endpoint(profile: string): Promise<string> {
  const file = portFile(profile);
  await vi.waitUntil(() => existsSync(file) && readFileSync(file, 'utf8').includes('\n'), 20_000);
  return `http://127.0.0.1:${readFileSync(file, 'utf8').split('\n')[0]}`;
}
