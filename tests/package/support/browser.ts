// browser.ts - the Chromium of a suite. Its contexts share nothing.

import { chromium, type Browser } from 'playwright-core';
import { inject } from 'vitest';

/** Connects to it. Closing the result closes the contexts that were opened with it. */
export const openBrowser = (): Promise<Browser> => chromium.connect(inject('browser'));
