// display.ts - a virtual screen, for the browser that needs one.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { afterAll } from 'vitest';

let server: ChildProcess | undefined;
let started: Promise<string> | undefined;

/** The name of a display, which ends after the tests of the file. */
export function display(): Promise<string> {
  return (started ??= start());
}

afterAll(() => void server?.kill());

async function start(): Promise<string> {
  const screen = ['-screen', '0', '1024x768x24', '-nolisten', 'tcp'];
  server = spawn('Xvfb', ['-displayfd', '3', ...screen], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await once(server.stdio[3]!, 'data');
  return `:${String(number).trim()}`;
}
