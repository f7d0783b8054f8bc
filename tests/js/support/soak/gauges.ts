// gauges.ts - measures memory, handles, listeners and channels, which must not grow during use.

import type { AbortSignalLike } from '../../../../js/src/base/platform.js';

const isNode = typeof window === 'undefined';

/** A measurement. */
export interface Gauge {
  /** The bytes of all WebAssembly memories that were not collected. */
  readonly wasmBytes: number;
  readonly heapBytes: number;
  /** Sockets, files and timers of the process. 0 in a browser. */
  readonly handles: number;
  /** Listeners of the page, and of the signal that all calls share. */
  readonly listeners: number;
  readonly channels: number;
}

/** A signal that never fires and counts its listeners. */
export class CountingSignal implements AbortSignalLike {
  readonly aborted = false;
  readonly listeners = new Set<() => void>();

  addEventListener(_: 'abort', listener: () => void): void {
    this.listeners.add(listener);
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    this.listeners.delete(listener);
  }
}

/** Counts what the package uses of its platform, until `stop()`. */
export class Gauges {
  readonly signal = new CountingSignal();
  readonly #memories: WeakRef<WebAssembly.Memory>[] = [];
  readonly #undo: (() => void)[] = [];
  #channels = 0;
  readonly #pageListeners: Map<string, Set<unknown>>[] = [];

  constructor() {
    this.#watchMemories();
    this.#watchChannels();
    for (const target of [globalThis, globalThis.document]) this.#watchListeners(target);
  }

  async read(): Promise<Gauge> {
    await collectGarbage();
    const memories = this.#memories.map((memory) => memory.deref()?.buffer.byteLength ?? 0);
    return {
      wasmBytes: memories.reduce((sum, bytes) => sum + bytes, 0),
      heapBytes: heapBytes(),
      handles: isNode ? process.getActiveResourcesInfo().length : 0,
      listeners: this.#countPageListeners() + this.signal.listeners.size,
      channels: this.#channels,
    };
  }

  #countPageListeners(): number {
    const sets = this.#pageListeners.flatMap((held) => [...held.values()]);
    return sets.reduce((sum, set) => sum + set.size, 0);
  }

  stop(): void {
    for (const undo of this.#undo) undo();
  }

  #replace<T extends object, Name extends keyof T>(target: T, name: Name, value: T[Name]): void {
    const before = target[name];
    target[name] = value;
    this.#undo.push(() => (target[name] = before));
  }

  #watchMemories(): void {
    const instantiate = WebAssembly.instantiate as (
      module: WebAssembly.Module,
      imports?: WebAssembly.Imports,
    ) => Promise<WebAssembly.Instance>;
    const watched = async (module: WebAssembly.Module, imports?: WebAssembly.Imports) => {
      const instance = await instantiate(module, imports);
      for (const exported of Object.values(instance.exports)) {
        if (exported instanceof WebAssembly.Memory) this.#memories.push(new WeakRef(exported));
      }
      return instance;
    };
    this.#replace(WebAssembly, 'instantiate', watched as typeof WebAssembly.instantiate);
  }

  #watchChannels(): void {
    const opened = () => this.#channels++;
    const closed = () => this.#channels--;
    const counting = class extends BroadcastChannel {
      constructor(name: string) {
        super(name);
        opened();
      }
      override close(): void {
        closed();
        super.close();
      }
    };
    this.#replace(globalThis, 'BroadcastChannel', counting);
  }

  #watchListeners(target: EventTarget | undefined): void {
    // Node's global object has no listeners.
    if (typeof target?.addEventListener !== 'function') return;
    const { addEventListener, removeEventListener } = target;
    // By type. Adding a listener twice counts once, and removing an unknown one is allowed.
    const held = new Map<string, Set<unknown>>();
    this.#pageListeners.push(held);
    const add: EventTarget['addEventListener'] = (...parameters) => {
      const [type, listener] = parameters;
      held.set(type, (held.get(type) ?? new Set()).add(listener));
      addEventListener.apply(target, parameters);
    };
    const remove: EventTarget['removeEventListener'] = (...parameters) => {
      const [type, listener] = parameters;
      held.get(type)?.delete(listener);
      removeEventListener.apply(target, parameters);
    };
    this.#replace(target, 'addEventListener', add);
    this.#replace(target, 'removeEventListener', remove);
  }
}

async function collectGarbage(): Promise<void> {
  const collect = isNode ? await collectorOfNode() : (globalThis as { gc?: () => void }).gc;
  if (!collect) throw new Error('start Chromium with --js-flags=--expose-gc');
  // Finalizers run after a collection, and may release more objects.
  for (let round = 0; round < 3; round++) {
    await new Promise<void>((resolve) => setTimeout(resolve));
    collect();
  }
}

async function collectorOfNode(): Promise<() => void> {
  const [v8, vm] = await Promise.all([import('node:v8'), import('node:vm')]);
  v8.setFlagsFromString('--expose-gc');
  return vm.runInNewContext('gc') as () => void;
}

function heapBytes(): number {
  if (isNode) return process.memoryUsage().heapUsed;
  const { memory } = performance as { memory?: { usedJSHeapSize: number } };
  return memory?.usedJSHeapSize ?? 0;
}

/** Measures the longest turn of the event loop, from now until `stop()`. */
export function watchTurns(): { readonly longestMs: () => number; readonly stop: () => void } {
  const { port1, port2 } = new MessageChannel();
  let last = performance.now();
  let longest = 0;
  port2.onmessage = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    port1.postMessage(0);
  };
  port1.postMessage(0);
  return {
    longestMs: () => Math.max(longest, performance.now() - last),
    stop() {
      port1.close();
      port2.close();
    },
  };
}
