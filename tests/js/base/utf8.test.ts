import { expect, it } from 'vitest';

import { textOfUtf8 } from '../../../js/src/base/utf8.js';

it('is the text of bytes, with a U+FEFF at its start', () => {
  expect(textOfUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xc3, 0xa9))).toBe('\ufeffaé');
  expect(textOfUtf8(Uint8Array.of())).toBe('');
});
