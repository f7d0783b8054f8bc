/**
 * The signals that ask a command to end.
 *
 * @module
 */

import process from 'node:process';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

// npx runs a command in a shell, and passes signals to the shell alone. The shell ends, and leaves
// the command to another parent.
const PARENT_CHECK_MS = 250;
const isUnderNpx = () => process.env['npm_command'] === 'exec';

/**
 * Calls back at the first signal. A second one ends the process at once, and so does any signal
 * after the function that is returned was called.
 */
export function onFirstSignal(act: (signal: NodeJS.Signals) => void): () => void {
  const parent = process.ppid;
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = () => {
    clearInterval(timer);
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    stop();
    act(signal);
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  if (isUnderNpx()) {
    timer = setInterval(() => process.ppid !== parent && onSignal('SIGTERM'), PARENT_CHECK_MS);
    timer.unref();
  }
  return stop;
}
