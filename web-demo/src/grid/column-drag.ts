/**
 * Changes columns with a pointer: a drag of the edge changes the width, a drag of the name the
 * order. A finger that drags the header scrolls sideways, so it changes only widths.
 *
 * @module
 */

import type { ColumnLayout } from './column-layout.js';
import type { GridHead } from './grid-head.js';

// In pixels. A shorter move is a click.
const LEAST_MOVE = 6;

interface Drag {
  move(event: PointerEvent): void;
  end(): void;
}

export function dragColumns(head: GridHead, layout: ColumnLayout): void {
  let wasDragged = false;
  head.element.addEventListener('pointerdown', (event) => {
    const target = event.target as Element;
    const name = head.columnOf(target);
    if (name === undefined || event.button !== 0) return;
    const isEdge = target.classList.contains('resizer');
    if (!isEdge && event.pointerType === 'touch') return;
    const drag = isEdge ? widthDrag(head, layout, name, event) : orderDrag(head, layout, name);
    if (!drag) return;
    if (isEdge) event.preventDefault();
    follow(
      event,
      (move) => {
        wasDragged ||= Math.abs(move.clientX - event.clientX) > LEAST_MOVE;
        if (wasDragged || isEdge) drag.move(move);
      },
      () => {
        drag.end();
        // The click comes before the next task.
        setTimeout(() => (wasDragged = false));
      },
    );
  });
  // The end of a drag is no click on the name.
  head.element.addEventListener('click', (event) => {
    if (wasDragged) event.stopImmediatePropagation();
  });
}

function follow(
  { pointerId }: PointerEvent,
  onMove: (event: PointerEvent) => void,
  onEnd: () => void,
): void {
  const stop = new AbortController();
  const { signal } = stop;
  const ofPointer = (work: (event: PointerEvent) => void) => (event: PointerEvent) => {
    if (event.pointerId === pointerId) work(event);
  };
  addEventListener('pointermove', ofPointer(onMove), { signal });
  for (const type of ['pointerup', 'pointercancel'] as const) {
    const end = () => {
      stop.abort();
      onEnd();
    };
    addEventListener(type, ofPointer(end), { signal });
  }
}

function widthDrag(
  head: GridHead,
  layout: ColumnLayout,
  name: string,
  { clientX }: PointerEvent,
): Drag | undefined {
  const width = head.cell(name)?.offsetWidth;
  if (width === undefined) return undefined;
  return {
    move: (event) => layout.setWidth(name, width + event.clientX - clientX),
    end: () => {},
  };
}

// The column goes to the place of the one below the pointer.
function orderDrag(head: GridHead, layout: ColumnLayout, name: string): Drag | undefined {
  const columns = layout.shown;
  if (!columns.some((column) => column.name === name)) return undefined;
  let place: string | undefined;
  const mark = (next: string | undefined) => {
    if (place !== undefined) head.cell(place)?.classList.remove('drop');
    place = next === name ? undefined : next;
    if (place !== undefined) head.cell(place)?.classList.add('drop');
    head.cell(name)?.classList.toggle('dragged', place !== undefined);
  };
  return {
    move: ({ clientX }) => {
      const below = columns.find((column) => {
        const box = head.cell(column.name)!.getBoundingClientRect();
        return clientX >= box.left && clientX < box.right;
      });
      mark(below?.name);
    },
    end: () => {
      const to = place;
      mark(undefined);
      if (to !== undefined) layout.move(name, to);
    },
  };
}
