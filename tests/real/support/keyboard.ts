// keyboard.ts - a page in a browser, and a keyboard for it: by the protocol of Chromium, by
// WebDriver BiDi in Firefox, and by WebDriver in WebKitGTK.

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';

import { findMiniBrowser } from '../../../scripts/lib/browsers.mjs';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { freshProfile, startBrowser, startCommand } from './browser.js';
import { sessionWith } from './chromium.js';
import { commandFor, type EngineName } from './engines.js';

/** The keys that are no characters, as WebDriver names them. */
const KEYS = {
  ArrowDown: '\uE015',
  End: '\uE010',
  Enter: '\uE007',
  PageDown: '\uE00F',
  Tab: '\uE004',
} as const;

/** Presses keys, one after another. */
export interface Keyboard {
  type(text: string): Promise<void>;
  press(key: keyof typeof KEYS): Promise<void>;
}

/** Starts a browser with this page, until the end of the test. */
export async function openWithKeyboard(engine: EngineName, url: string): Promise<Keyboard> {
  const press = await OPENERS[engine](url);
  return {
    async type(text) {
      for (const character of text) await press(character);
    },
    async press(key) {
      await press(KEYS[key]);
    },
  };
}

/** Presses and releases a key of WebDriver. */
type Press = (key: string) => Promise<unknown>;

const OPENERS: Record<EngineName, (url: string) => Promise<Press>> = { chromium, firefox, webkit };

// The names of keys, and the numbers that Chromium wants.
const IN_CHROMIUM: Readonly<Record<string, object>> = {
  [KEYS.ArrowDown]: { key: 'ArrowDown', code: 'ArrowDown', windowsVirtualKeyCode: 40 },
  [KEYS.PageDown]: { key: 'PageDown', code: 'PageDown', windowsVirtualKeyCode: 34 },
  [KEYS.End]: { key: 'End', code: 'End', windowsVirtualKeyCode: 35 },
  [KEYS.Enter]: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  [KEYS.Tab]: { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 },
};

async function chromium(url: string): Promise<Press> {
  const { profile } = await startBrowser('chromium', freshProfile(), [url]);
  // The tab has its address some time after the start.
  const session = await vi.waitFor(() => sessionWith(profile, url), 20_000);
  return async (key) => {
    const event = IN_CHROMIUM[key] ?? { key, text: key };
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await session.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp', text: undefined });
  };
}

const actionsFor = (key: string) => [
  {
    ...{ type: 'key', id: 'keyboard' },
    actions: [
      { type: 'keyDown', value: key },
      { type: 'keyUp', value: key },
    ],
  },
];

async function firefox(url: string): Promise<Press> {
  const profile = freshProfile();
  const command = await commandFor('firefox', profile, [url]);
  const parameters = ['--remote-debugging-port=0', ...command.parameters];
  await startCommand({ ...command, parameters }, profile);
  const file = join(profile, 'WebDriverBiDiServer.json');
  await vi.waitUntil(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('}'), 20_000);
  const { ws_port: port } = JSON.parse(readFileSync(file, 'utf8')) as { ws_port: number };
  const send = await bidi(`ws://127.0.0.1:${port}/session`);
  await send('session.new', { capabilities: {} });
  const context = await vi.waitFor(async () => {
    const { contexts } = (await send('browsingContext.getTree', {})) as Tree;
    return contexts.find((each) => each.url === url)!.context;
  }, 20_000);
  await send('browsingContext.activate', { context });
  return (key) => send('input.performActions', { context, actions: actionsFor(key) });
}

interface Tree {
  readonly contexts: readonly { readonly context: string; readonly url: string }[];
}

type Send = (method: string, params: object) => Promise<unknown>;

async function bidi(url: string): Promise<Send> {
  const socket = new WebSocket(url);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  let commands = 0;
  return (method, params) => {
    const id = ++commands;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => {
      socket.on('message', function receive(data) {
        const answer = JSON.parse(String(data)) as Answer;
        if (answer.id !== id) return;
        socket.off('message', receive);
        if (answer.type === 'error') reject(new Error(`${method}: ${answer.message}`));
        else resolve(answer.result);
      });
    });
  };
}

interface Answer {
  readonly id?: number;
  readonly type: string;
  readonly message?: string;
  readonly result?: unknown;
}

// The driver starts the browser.
async function webkit(url: string): Promise<Press> {
  const profile = freshProfile();
  const { env } = await commandFor('webkit', profile, []);
  const port = await freePort();
  const parameters = [`--port=${port}`];
  await startCommand({ program: 'WebKitWebDriver', parameters, env }, profile);
  const base = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(`${base}/status`), 20_000);
  const browser = { binary: findMiniBrowser(), args: ['--automation'] };
  const alwaysMatch = { 'webkitgtk:browserOptions': browser };
  const { sessionId } = (await post(`${base}/session`, { capabilities: { alwaysMatch } })) as {
    sessionId: string;
  };
  const session = `${base}/session/${sessionId}`;
  await post(`${session}/url`, { url });
  return (key) => post(`${session}/actions`, { actions: actionsFor(key) });
}

async function post(url: string, content: object): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(content) });
  const { value } = (await response.json()) as { value: unknown };
  if (!response.ok) throw new Error(`${url}: ${JSON.stringify(value)}`);
  return value;
}
