import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/**
 * Fails the test if the page has an error, or if its console has an error or a warning.
 *
 * @param isExpected - whether a text of the console is none.
 */
export function expectNoProblems(page: Page, isExpected = (_text: string) => false): void {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    const isProblem = ['error', 'warning'].includes(message.type());
    if (isProblem && !isExpected(message.text())) problems.push(message.text());
  });
  onTestFinished(() => expect(problems).toEqual([]));
}
