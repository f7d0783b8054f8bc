import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { runConformanceCase } from './support/conformance/case-run.js';
import { readConformanceCases } from './support/conformance/files.js';
import { SIGNED } from './support/conformance/signer.js';

const cases = await readConformanceCases();
const signed = await readConformanceCases(['signatures']);
const proven = cases.filter(({ mark }) => mark !== 'C');
const chosen = cases.filter(({ mark }) => mark === 'C');

describe.each([
  { group: 'what the service does', cases: proven },
  { group: 'our own choices', cases: chosen },
  { group: 'what signatures decide', cases: signed, transport: SIGNED },
])('$group', ({ cases, transport }) => {
  let now: number;

  beforeEach(() => {
    now = Date.UTC(2024, 0, 2, 3, 4, 5, 678);
    vi.spyOn(Date, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const named = cases.map((one) => [`${one.case}: ${one.title} → ${one.expected}`, one] as const);

  it.each(named)('%s', async (_, one) => {
    const { failures, soft } = await runConformanceCase(one, (by) => (now += by), transport);

    expect(failures).toEqual([]);
    if (soft.length > 0) console.info(`${one.case}, which may differ: ${soft.join('; ')}`);
  });
});
