// terminal.mjs - what the scripts say: plain lines, one for each step that has ended.  On a
// terminal the last line shows the steps that go on, and for how long.

import { AsyncLocalStorage } from 'node:async_hooks';

/** A failure that a person can solve: the problem and the remedy. */
export class Problem extends Error {
  constructor(message, remedy) {
    super(message);
    this.remedy = remedy;
  }
}

// Standard error, because some scripts print an answer for another program on standard output.
const out = process.stderr;
const CLEAR_LINE = '\r\x1b[K';

// The steps that go on: { name, start, detail }.
const running = new Set();
const current = new AsyncLocalStorage();
let timer;

export function say(text) {
  out.write(`${running.size > 0 && out.isTTY ? CLEAR_LINE : ''}${text}\n`);
  showRunning();
}

/** Says how far the step has come that the caller is part of, such as `12/130`. */
export function progress(detail) {
  const step = current.getStore();
  if (step) step.detail = detail;
}

/** Runs `work` and prints its time, unless it returns false because it had nothing to do. */
export async function step(name, work) {
  const step = { name, start: performance.now(), detail: '' };
  running.add(step);
  timer ??= out.isTTY ? setInterval(showRunning, 1000) : undefined;
  let result;
  try {
    result = await current.run(step, work);
  } finally {
    running.delete(step);
    if (running.size === 0) {
      clearInterval(timer);
      timer = undefined;
      if (out.isTTY) out.write(CLEAR_LINE);
    }
  }
  if (result !== false) say(`${name}: ${(elapsed(step) / 1000).toFixed(1)} s`);
}

function showRunning() {
  if (running.size === 0 || !out.isTTY) return;
  const steps = [...running].map((step) =>
    [step.name, step.detail, `${Math.floor(elapsed(step) / 1000)} s`].filter(Boolean).join(' '),
  );
  out.write(CLEAR_LINE + steps.join(' · ').slice(0, out.columns - 1));
}

const elapsed = ({ start }) => performance.now() - start;

/** Runs the body of a script. A Problem ends it with two lines instead of a stack. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    say(`error: ${error instanceof Problem ? error.message : error.stack}`);
    if (error.remedy) say(`to go on: ${error.remedy}`);
    process.exitCode = 1;
  }
}
