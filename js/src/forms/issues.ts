/**
 * Issues of forms.
 *
 * @module
 */

import type { Issue } from '../schema/issue.js';

/** The property that an issue is about. */
export function nameOf({ path }: Issue): string | undefined {
  const [step] = path ?? [];
  return step === undefined ? undefined : String(typeof step === 'object' ? step.key : step);
}
