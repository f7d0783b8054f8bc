// scrolling.ts - the grid of the explorer over many rows.

import { openAccount } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { gridWithInput } from '../../../web-demo/src/grid/grid-input.js';
import { ResultRows } from '../../../web-demo/src/rows/result-rows.js';

// As in web-demo/styles/grid.css, as far as places depend on it.
const STYLE = `
  #grid { --row-height: 31px; height: 400px; width: 600px; overflow: auto; overflow-anchor: none }
  .grid-canvas { position: relative; width: max-content }
  .grid-head, .grid-row { display: grid; grid-template-columns: 40px var(--columns) 0 }
  .grid-head { position: sticky; top: 0; height: 40px }
  .grid-body { position: absolute; inset: auto 0 }
  .grid-row { position: absolute; inset: 0 0 auto; height: 31px; overflow: hidden }
`;

const rowKeyOf = (row: number) => String(row).padStart(8, '0');

function* entities(count: number) {
  for (let row = 0; row < count; row++) {
    yield { partitionKey: 'p', rowKey: rowKeyOf(row), number: row };
  }
}

export const scrolling = {
  /** Stores rows, shows them in a grid, and focuses the first one. */
  async showGrid(count: number): Promise<void> {
    const account = await openAccount({ storage: memoryStorage(), wasm: '/entitable.wasm' });
    const table = account.tableClient('Rows');
    await table.createTable();
    await table.importEntities(entities(count));
    // The policy of the site forbids elements with styles.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    document.adoptedStyleSheets = [sheet];
    document.body.innerHTML = '<div id="grid"></div>';
    const ignore = () => {};
    const grid = gridWithInput({
      ...{
        onOpen: ignore,
        onSort: ignore,
        onEdit: ignore,
        onSelect: ignore,
        onRange: () => {},
        onFill: () => {},
        onDelete: ignore,
      },
      ...{ onCopy: ignore, onMenu: ignore },
      ...{ onLoad: ignore, onScroll: ignore },
      onTrouble: (error) => {
        throw error;
      },
    });
    const rows = new ResultRows(table, { filter: '', sort: undefined });
    await rows.open();
    await rows.count();
    grid.show(rows, { caption: 'Rows', sort: undefined });
    grid.focus();
  },

  /** Scrolls to a share of the height. */
  scrollGrid(share: number): void {
    const grid = document.getElementById('grid')!;
    grid.scrollTop = share * (grid.scrollHeight - grid.clientHeight);
  },

  /** The rows that are in sight, and that with the focus; undefined while any is not loaded. */
  rowsInSight() {
    const grid = document.getElementById('grid')!;
    const [top, bottom] = [
      grid.querySelector('.grid-head')!.getBoundingClientRect().bottom,
      grid.getBoundingClientRect().bottom,
    ];
    const all = [...grid.querySelectorAll('.grid-row')].map((element) => ({
      row: Number(element.getAttribute('aria-rowindex')) - 2,
      rowKey: element.querySelector('.row-key')!.textContent,
      box: element.getBoundingClientRect(),
    }));
    const rows = all.filter(({ box }) => box.bottom > top + 1 && box.top < bottom - 1);
    if (rows.some(({ row, rowKey }) => rowKey !== rowKeyOf(row))) return undefined;
    const focused = document.activeElement?.closest('[role=row]')?.getAttribute('aria-rowindex');
    const numbers = rows.map(({ row }) => row);
    return {
      first: Math.min(...numbers),
      last: Math.max(...numbers),
      focused: Number(focused) - 2,
    };
  },
};
