// signals.ts - a signal that knows who listens to it.

/** An abort signal, how many listen to it, and what fires it. */
export function countedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const [add, remove] = [signal.addEventListener, signal.removeEventListener];
  signal.addEventListener = function (this: AbortSignal, ...args: Parameters<typeof add>) {
    listeners.add(args[1]);
    return add.apply(this, args);
  } as typeof add;
  signal.removeEventListener = function (this: AbortSignal, ...args: Parameters<typeof remove>) {
    listeners.delete(args[1]);
    return remove.apply(this, args);
  } as typeof remove;
  return {
    signal,
    listeners: () => listeners.size,
    abort: (why?: unknown) => controller.abort(why),
  };
}
