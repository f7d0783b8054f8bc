// files.ts - the conformance cases; tests/conformance/README.md explains them.

/** The expectations for an answer, or for an object in it. */
export interface Expectation {
  status?: number | (number | string)[];
  code?: string | string[];
  message?: string;
  messageHas?: string[];
  form?: 'xml';
  headers?: Record<string, string | true | null>;
  headersHave?: Record<string, string>;
  body?: string;
  has?: string[];
  hasNot?: string[];
  once?: string[];
  members?: Record<string, unknown>;
  memberEnds?: Record<string, string>;
  present?: string[];
  absent?: string[];
  only?: string[];
  order?: string[];
  custom?: Record<string, unknown>;
  customCount?: number;
  elements?: Expectation[];
  count?: number;
  rows?: string[];
  rowsOneOf?: string[][];
  keys?: [string, string][];
  tables?: string[];
  isSorted?: boolean;
  pages?: number[];
  examined?: number;
  parts?: number[];
  etags?: boolean[];
  operation?: number;
  soft?: Expectation;
}

export type Loops = Record<string, [first: number, last: number]>;

export interface Send {
  method: string;
  target: string;
  headers?: Record<string, string | string[] | null>;
  body?: string;
  sign?: Sign;
}

/** The parameters of a shared access signature, without `sig`. */
export interface SasSign {
  sas: 'table' | 'account';
  fields: Record<string, string>;
  /** A parameter that the address has twice. */
  twice?: string;
}

export interface KeySign {
  scheme: 'SharedKey' | 'SharedKeyLite';
  minutesOld?: number;
  isUndated?: true;
  isSpoiled?: true;
  /** Replaces the canonicalized resource in the signed text. */
  resource?: string;
}

export type Sign = 'none' | KeySign | SasSign;

/** A text that is signed, and its signature with the key of auth of the spec, 5.11. */
export type Vector = { signature: string } & (
  | Pick<SasSign, 'sas' | 'fields'>
  | {
      scheme: KeySign['scheme'];
      date: string;
      target: string;
      account?: string;
      method?: string;
      contentType?: string;
    }
);

export interface Part {
  for?: Loops;
  kind: 'insertEntity' | 'replaceEntity' | 'mergeEntity' | 'deleteEntity' | 'getEntity';
  table?: string;
  partitionKey?: string;
  rowKey?: string;
  ifMatch?: string;
  body?: string;
  echo?: true;
}

export interface Step {
  for?: Loops;
  send?: Send;
  follow?: true;
  transaction?: Part[];
  meanwhile?: Step;
  vector?: Vector;
  clock?: number;
  restart?: true;
  check?: { differ?: [string, string]; ascending?: [string, string]; contains?: [string, string] };
  expect?: Expectation;
  capture?: Record<string, string>;
}

export interface ConformanceCase {
  case: number;
  mark: string;
  title: string;
  expected: string;
  steps: Step[];
}

const FILES = [
  ...[
    '7.1',
    '7.2',
    '7.3',
    '7.4',
    '7.5',
    '7.6',
    '7.7',
    '7.8',
    '7.9',
    '7.10',
    '7.11',
    '7.13',
    '7.14',
  ],
  'batches',
  'truth-table',
];

/** The cases that the core decides, or those that signatures decide. */
export async function readConformanceCases(names = FILES): Promise<ConformanceCase[]> {
  const files = await Promise.all(names.map((name) => readText(`${name}.json`)));
  return files.flatMap((text) => JSON.parse(text) as ConformanceCase[]);
}

async function readText(name: string): Promise<string> {
  const address = new URL(`../../../conformance/${name}`, import.meta.url);
  if (address.protocol !== 'file:') return (await fetch(address)).text();
  const fileSystem = 'node:fs/promises';
  const { readFile } = await import(/* @vite-ignore */ fileSystem);
  return readFile(address, 'utf8');
}
