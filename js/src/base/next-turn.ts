/**
 * A later turn of the event loop, on every platform.
 *
 * @module
 */

/**
 * Calls back in a task of its own, after all tasks that wait already: timers, sockets, input. A
 * timer of zero would come 4 ms late in browsers. After `scheduler.yield()`, work would come before
 * what waits, and in Chromium (156) before the next frame, too.
 */
export function inNextTurn(callback: () => void): void {
  const { setImmediate, MessageChannel } = globalThis as {
    setImmediate?: (callback: () => void) => unknown;
    MessageChannel?: typeof globalThis.MessageChannel;
  };
  if (setImmediate) {
    setImmediate(callback);
  } else if (MessageChannel) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      callback();
    };
    port2.postMessage(undefined);
  } else {
    setTimeout(callback);
  }
}
