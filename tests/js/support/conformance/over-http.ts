// over-http.ts - the cases that a server can decide.

import { readConformanceCases, type ConformanceCase } from './files.js';

export interface CaseOverHttp {
  readonly one: ConformanceCase;
  /** Whether the handler checks signatures. */
  readonly isSigned: boolean;
}

/** The cases by their titles. */
export async function readCasesOverHttp(): Promise<Map<string, CaseOverHttp>> {
  const plain = (await readConformanceCases()).map((one) => ({ one, isSigned: false }));
  const signed = (await readConformanceCases(['signatures'])).map((one) => ({
    one,
    isSigned: true,
  }));
  const cases = [...plain, ...signed].filter(({ one }) => isOverHttp(one));
  return new Map(cases.map((each) => [titleOf(each), each]));
}

const titleOf = ({ one, isSigned }: CaseOverHttp) =>
  `${one.case}${isSigned ? ', signed' : ''}: ${one.title}`;

// With a host of its own, the account would be named by the host, and not in the path.
const isOverHttp = ({ steps }: ConformanceCase) =>
  steps.every(({ send }) => send?.headers?.['Host'] === undefined);
