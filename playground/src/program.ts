/**
 * A program that runs in a frame of its own.
 *
 * @module
 */

import type { FrameMessage, Library, Start } from './messages.js';

export interface Program {
  /** Ends the program, with all that it has started. */
  stop(): void;
}

/**
 * Runs JavaScript in a new frame within `place`, which shows what the program renders. `listen`
 * gets what it says, until `stop`.
 */
export function runProgram(
  script: string,
  library: Library,
  place: HTMLElement,
  listen: (message: FrameMessage) => void,
): Program {
  const frame = document.createElement('iframe');
  frame.title = 'What the program shows';
  // Without `allow-same-origin`: see messages.ts.
  frame.sandbox.add('allow-scripts', 'allow-modals', 'allow-downloads', 'allow-forms');
  frame.src = new URL('frame.html', import.meta.url).href;
  const hear = ({ source, data }: MessageEvent<FrameMessage>) => {
    if (source !== frame.contentWindow) return;
    if (data.kind === 'ready') {
      const start: Start = { library, program: script };
      frame.contentWindow!.postMessage(start, '*');
    } else {
      listen(data);
    }
  };
  addEventListener('message', hear);
  place.replaceChildren(frame);
  return {
    stop() {
      removeEventListener('message', hear);
      frame.remove();
    },
  };
}
