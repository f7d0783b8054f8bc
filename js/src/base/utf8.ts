/**
 * Texts of bytes.
 *
 * @module
 */

let decoder: TextDecoder | undefined;

/** The text of bytes that are UTF-8. A U+FEFF at the start is part of the text, not a mark. */
export function textOfUtf8(utf8: ArrayBufferView): string {
  decoder ??= new TextDecoder('utf-8', { ignoreBOM: true });
  return decoder.decode(utf8);
}
