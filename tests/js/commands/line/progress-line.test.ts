import { expect, it, onTestFinished, vi } from 'vitest';

import { ProgressLine } from '../../../../js/src/commands/line/progress-line.js';

function terminal(isTTY: boolean) {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  return { written, isTTY, columns: 10, write: (text: string) => written.push(text) };
}

it('replaces the line of a terminal, not more often than an eye can follow', () => {
  const screen = terminal(true);
  const { show, clear } = new ProgressLine(screen, false);

  show('1');
  show('2');
  vi.advanceTimersByTime(100);
  show('a long line of text');
  clear();
  clear();
  show('3');

  expect(screen.written).toEqual(['\r\x1b[K1', '\r\x1b[Ka long li', '\r\x1b[K', '\r\x1b[K3']);
});

it.each([
  ['in a file', false, false],
  ['when nobody wants it', true, true],
])('shows nothing %s', (_, isTTY, isQuiet) => {
  const screen = terminal(isTTY);
  const { show, clear } = new ProgressLine(screen, isQuiet);

  show('1');
  clear();

  expect(screen.written).toEqual([]);
});
