/**
 * Finds the name that was probably meant.
 *
 * @module
 */

/** Returns the name that takes the fewest edits; undefined, if none is near. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined;
  // In a short name, few letters make another word.
  let fewest = Math.floor(given.length / 3) + 1;
  for (const name of names) {
    const edits = editsBetween(given.toLowerCase(), name.toLowerCase(), fewest);
    if (edits < fewest) [nearest, fewest] = [name, edits];
  }
  return nearest;
}

// The letters to add, remove, replace or exchange with the next one; `most` or more, if there are
// too many.
function editsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) >= most) return most;
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const [row, before] = [rows[i - 1]!, rows[i - 2]];
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + Number(a[i - 1] !== b[j - 1]);
      let fewest = Math.min(replaced, row[j]! + 1, next[j - 1]! + 1);
      const isExchanged = before && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isExchanged) fewest = Math.min(fewest, before[j - 2]! + 1);
      next.push(fewest);
    }
    rows.push(next);
  }
  return rows[a.length]![b.length]!;
}
