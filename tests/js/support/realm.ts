// realm.ts - values of another realm: of a frame in a browser, of a context of `vm` in Node.

/** The global object of a realm that is not this one. */
export async function otherRealm(): Promise<typeof globalThis> {
  if (typeof document === 'undefined') {
    // A name that is not a literal is left alone by what bundles for browsers.
    const name = 'node:vm';
    const vm = (await import(/* @vite-ignore */ name)) as {
      runInNewContext(code: string): typeof globalThis;
    };
    return vm.runInNewContext('globalThis');
  }
  const frame = document.createElement('iframe');
  document.body.append(frame);
  return frame.contentWindow as unknown as typeof globalThis;
}
