// chromium.ts - uses the protocol of Chromium for what WebDriver cannot do.

import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';

// Chromium writes the port of the protocol into this file.
const portFile = (profile: string) => join(profile, 'DevToolsActivePort');

/** Forgets the port of an earlier browser. Call it before the start of a new one. */
export function forgetProtocol(profile: string): void {
  rmSync(portFile(profile), { force: true });
}

/** Opens a tab for each address, and returns a function that closes them. */
export async function openTabs(profile: string, urls: readonly string[]) {
  const protocol = `${await endpoint(profile)}/json`;
  const ids: string[] = [];
  for (const url of urls) {
    const response = await fetch(`${protocol}/new?${encodeURI(url)}`, { method: 'PUT' });
    ids.push(((await response.json()) as { id: string }).id);
  }
  return async () => {
    for (const id of ids) await fetch(`${protocol}/close/${id}`);
  };
}

/** The protocol for one page. */
export interface Session {
  /** Rejects with the error of the browser. */
  send(method: string, parameters?: object): Promise<unknown>;
}

/**
 * Opens a session with the page at an address, until the end of the test. Playwright cannot do it:
 * it makes its pages believe that they are visible, and no visible page can be frozen.
 */
export async function sessionWith(profile: string, url: string): Promise<Session> {
  const targets = (await (await fetch(`${await endpoint(profile)}/json/list`)).json()) as Target[];
  const socket = new WebSocket(targets.find((each) => each.url === url)!.webSocketDebuggerUrl);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  let commands = 0;
  return {
    send(method, params = {}) {
      const id = ++commands;
      socket.send(JSON.stringify({ id, method, params }));
      return new Promise((resolve, reject) => {
        socket.on('message', function receive(data) {
          const answer = JSON.parse(String(data)) as Answer;
          if (answer.id !== id) return;
          socket.off('message', receive);
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

/** The address of the protocol of the browser with this profile, once it has started. */
export async function endpoint(profile: string): Promise<string> {
  const file = portFile(profile);
  await vi.waitUntil(() => existsSync(file) && readFileSync(file, 'utf8').includes('\n'), 20_000);
  return `http://127.0.0.1:${readFileSync(file, 'utf8').split('\n')[0]}`;
}
