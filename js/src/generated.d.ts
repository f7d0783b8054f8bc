/**
 * The modules that `scripts/build-js.mjs` writes: WebAssembly modules as text, and the list of
 * files.
 *
 * @module
 */

declare module '#entitable-text' {
  const text: string;
  export default text;
}

declare module '#entitable-sync-text' {
  const text: string;
  export default text;
}

declare module '#entitable-verify-text' {
  const text: string;
  export default text;
}

declare module '#files' {
  const files: Partial<Record<string, readonly string[]>>;
  export default files;
}
