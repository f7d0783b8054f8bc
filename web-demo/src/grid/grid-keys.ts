/**
 * Where keys move the current cell, as in the pattern of a grid of the ARIA Authoring Practices.
 *
 * @module
 */

/** A cell by its row and column. */
export interface Place {
  /** -1 is the header. */
  readonly row: number;
  readonly column: number;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** The rows that Page Up and Page Down move by. */
  readonly pageRows: number;
}

/** Undefined, if the key does not move. */
export function moveOf(
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  { row, column }: Place,
  { rows, columns, pageRows }: GridSize,
): Place | undefined {
  const isWhole = ctrlKey || metaKey;
  const place = (toRow: number, toColumn: number): Place => ({
    row: Math.min(Math.max(toRow, -1), rows - 1),
    column: Math.min(Math.max(toColumn, 0), columns - 1),
  });
  switch (key) {
    case 'ArrowUp':
      return isWhole ? undefined : place(row - 1, column);
    case 'ArrowDown':
      return isWhole ? undefined : place(row + 1, column);
    case 'ArrowLeft':
      return isWhole ? undefined : place(row, column - 1);
    case 'ArrowRight':
      return isWhole ? undefined : place(row, column + 1);
    case 'PageUp':
      return place(Math.max(row - pageRows, 0), column);
    case 'PageDown':
      return place(row + pageRows, column);
    case 'Home':
      return isWhole ? place(0, 0) : place(row, 0);
    case 'End':
      return isWhole ? place(rows - 1, columns - 1) : place(row, columns - 1);
    default:
      return undefined;
  }
}
