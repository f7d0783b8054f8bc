/**
 * Finds out how the text of a file is encoded.
 *
 * @module
 */

/** The encodings that are read. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

/** One of them. */
export type Encoding = (typeof ENCODINGS)[number];

// Texts have no other control characters. Windows-1252 lacks five characters.
const NO_TEXT = /[\0-\x08\x0e-\x1a\x1c-\x1f\x81\x8d\x8f\x90\x9d]/;

/** Looks at all bytes of a file: its last byte may show that it is not UTF-8. */
export class EncodingGuess {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #windows = new TextDecoder('windows-1252');
  #first: Encoding | undefined;
  #hasBegun = false;
  #isUtf8 = true;
  // Whether a character of UTF-8 takes several bytes. No text of Windows-1252 looks like that.
  #hasLongCharacter = false;
  #isText = true;

  /** Takes the next bytes. */
  add(bytes: Uint8Array): void {
    if (!this.#hasBegun && bytes.length > 0) this.#first = utf16In(bytes);
    this.#hasBegun ||= bytes.length > 0;
    if (this.#first !== undefined) return;
    this.#isUtf8 &&= this.#fits(bytes);
    this.#isText &&= !NO_TEXT.test(this.#windows.decode(bytes));
  }

  /** Undefined, if this is no text. */
  get encoding(): Encoding | undefined {
    if (this.#first !== undefined) return this.#first;
    if (this.#isUtf8 && this.#fits()) return 'utf-8';
    return this.#isText && !this.#hasLongCharacter ? 'windows-1252' : undefined;
  }

  #fits(bytes?: Uint8Array): boolean {
    try {
      this.#see(this.#decoder.decode(bytes, { stream: bytes !== undefined }));
      return true;
    } catch {
      this.#see(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
      return false;
    }
  }

  #see(text: string): void {
    this.#hasLongCharacter ||= /[^\0-\x7f\uFFFD]/.test(text);
  }
}

// By a byte order mark, or by the zero in a character of ASCII.
function utf16In([first, second, third, fourth]: Uint8Array): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first && second === 0 && third && fourth === 0) return 'utf-16le';
  return first === 0 && second && third === 0 && fourth ? 'utf-16be' : undefined;
}
