/**
 * Ends of ranges of texts.
 *
 * @module
 */

/** The first text after all texts that begin with this one; undefined, if there is none. */
export function textAfter(prefix: string): string | undefined {
  const characters = [...prefix];
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const next = characterAfter(last.codePointAt(0)!);
    if (next !== undefined) return characters.join('') + String.fromCodePoint(next);
  }
  return undefined;
}

// Characters above U+FFFF sort between U+D7FF and U+E000, because they are pairs of units.
function characterAfter(point: number): number | undefined {
  if (point === 0xd7ff) return 0x10000;
  if (point === 0x10ffff) return 0xe000;
  return point === 0xffff ? undefined : point + 1;
}
