/**
 * WebAssembly modules as text in scripts, for bundlers that do not copy files.
 *
 * @module
 */

import { base64ToBytes } from '../base/base64.js';

/** A script whose one export is a module: Base64 of its bytes, compressed with gzip. */
export interface ModuleText {
  readonly default: string;
}

/**
 * Returns a function that loads and decodes the text. It returns the same promise each time, so the
 * module is compiled once. After a failure it tries again.
 */
export function moduleOfText(load: () => Promise<ModuleText>): () => Promise<ArrayBuffer> {
  let bytes: Promise<ArrayBuffer> | undefined;
  return () => {
    if (!bytes) {
      bytes = load().then((text) => decode(text.default));
      bytes.catch(() => (bytes = undefined));
    }
    return bytes;
  };
}

function decode(text: string): Promise<ArrayBuffer> {
  const compressed = new Blob([base64ToBytes(text)]).stream();
  return new Response(compressed.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}
