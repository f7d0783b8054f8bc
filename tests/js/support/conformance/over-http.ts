// over-http.ts - the cases that a server can decide.

import { readConformanceCases, type ConformanceCase } from './files.js';

/** The cases by their titles. */
export async function readCasesOverHttp(): Promise<Map<string, ConformanceCase>> {
  const cases = await readConformanceCases();
  return new Map(cases.filter(isOverHttp).map((one) => [`${one.case}: ${one.title}`, one]));
}

// With a host of its own, the account would be named by the host, and not in the path.
const isOverHttp = ({ steps }: ConformanceCase) =>
  steps.every(({ send }) => send?.headers?.['Host'] === undefined);
