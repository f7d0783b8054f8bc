/**
 * Shows the progress of work, which the user can stop.
 *
 * @module
 */

import type { LoadOptions, LoadProgress } from '../load-progress.js';
import type { Load, LoadPanel } from './load-panel.js';

export interface Stage {
  readonly panel: LoadPanel;
  onBusy(isBusy: boolean): void;
}

export async function whileShown<T>(
  { panel, onBusy }: Stage,
  load: Load,
  work: (options: LoadOptions) => Promise<T>,
): Promise<T> {
  const signal = panel.begin(load);
  const start = performance.now();
  let loaded = 0;
  onBusy(true);
  try {
    const onProgress = (progress: LoadProgress) => {
      ({ loaded } = progress);
      panel.show(progress);
    };
    const result = await work({ signal, onProgress });
    panel.finish({ loaded, milliseconds: performance.now() - start });
    return result;
  } catch (error) {
    panel.close();
    throw error;
  } finally {
    onBusy(false);
  }
}
