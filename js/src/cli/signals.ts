/**
 * The signals that ask a command to end.
 *
 * @module
 */

import process from 'node:process';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Calls back at the first signal. A second one ends the process at once. */
export function onFirstSignal(act: (signal: NodeJS.Signals) => void): void {
  const onSignal = (signal: NodeJS.Signals) => {
    for (const name of SIGNALS) process.off(name, onSignal);
    act(signal);
  };
  for (const name of SIGNALS) process.on(name, onSignal);
}
