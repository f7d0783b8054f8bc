/**
 * Lets the browser paint and handle input between two pieces of work.
 *
 * @module
 */

const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.onmessage = () => waiting.shift()?.();

/**
 * Resolves in a task of its own. Awaiting the service is not enough: what it knows
 * already it answers in the same task. A timer would wait 4 ms, a message does not.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(undefined);
  });
}
