/**
 * The program in the address: `#code=` has it compressed, and `#example=` names one of the
 * documentation.
 *
 * @module
 */

const FORMAT = 'deflate-raw';

/** The fragment of an address that brings this program. */
export async function fragmentOf(program: string): Promise<string> {
  const bytes = await through(new Blob([program]), new CompressionStream(FORMAT));
  const text = btoa(String.fromCharCode(...bytes));
  return `#code=${text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** The program of a fragment, or undefined if it brings none. */
export async function programIn(fragment: string): Promise<string | undefined> {
  const text = /^#code=([\w-]+)$/.exec(fragment)?.[1];
  if (text === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(
      atob(text.replaceAll('-', '+').replaceAll('_', '/')),
      (character) => character.charCodeAt(0),
    );
    return new TextDecoder().decode(
      await through(new Blob([bytes]), new DecompressionStream(FORMAT)),
    );
  } catch {
    // An address that was cut when it was copied.
    return undefined;
  }
}

/** The name of the example in a fragment. */
export const exampleIn = (fragment: string): string | undefined =>
  /^#example=([\w/-]+)$/.exec(fragment)?.[1];

async function through(blob: Blob, transform: GenericTransformStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(blob.stream().pipeThrough(transform)).arrayBuffer());
}
