/**
 * TypeScript for the playground: what is wrong with a program, how it goes on at a place, and its
 * JavaScript.
 *
 * In a worker, because the compiler works for a second at its first question. The types of the
 * package and of the platform come as one file.
 *
 * @module
 */

import { blankSourceFile } from 'ts-blank-space';
import ts from 'typescript';

import type { Answer, Completion, Fault, Program, Question, Types } from './compiler.js';

const PROGRAM = '/program.ts';

// Those with which the examples of the documentation compile.
const OPTIONS: ts.CompilerOptions = {
  ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
};

const MOST_COMPLETIONS = 200;

let text = '';
let version = 0;

async function createService(): Promise<ts.LanguageService> {
  const { files, entries, libraries } = (await (await fetch('types.json')).json()) as Types;
  const paths = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, [file]]));
  const read = (name: string) => (name === PROGRAM ? text : files[name]);
  return ts.createLanguageService({
    getCompilationSettings: () => ({ ...OPTIONS, paths, lib: [...libraries] }),
    getScriptFileNames: () => [PROGRAM],
    getScriptVersion: (name) => (name === PROGRAM ? String(version) : '0'),
    getScriptSnapshot(name) {
      const found = read(name);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: () => '/lib/lib.es2022.d.ts',
    fileExists: (name) => read(name) !== undefined,
    readFile: read,
  });
}

const service = createService();

/** The JavaScript, with each character at its place: types become spaces. */
function compile(languageService: ts.LanguageService): Program {
  const faults = languageService.getSyntacticDiagnostics(PROGRAM).map(toFault);
  if (faults.length > 0) return { faults, script: undefined };
  const source = languageService.getProgram()!.getSourceFile(PROGRAM)!;
  const script = blankSourceFile(source, (node) => {
    const from = node.getStart(source);
    const message = 'This part of TypeScript has no JavaScript of its own; write it as a class.';
    faults.push({ from, to: node.getEnd(), message });
  });
  return faults.length > 0 ? { faults, script: undefined } : { faults, script };
}

function check(languageService: ts.LanguageService): Fault[] {
  const found = [
    ...languageService.getSyntacticDiagnostics(PROGRAM),
    ...languageService.getSemanticDiagnostics(PROGRAM),
  ];
  return found.map(toFault);
}

function toFault({ start = 0, length = 0, messageText }: ts.Diagnostic): Fault {
  const message = ts.flattenDiagnosticMessageText(messageText, '\n');
  return { from: start, to: start + length, message };
}

function complete(languageService: ts.LanguageService, at: number): Completion[] {
  const found = languageService.getCompletionsAtPosition(PROGRAM, at, {});
  return (found?.entries ?? [])
    .slice(0, MOST_COMPLETIONS)
    .map(({ name, kind, sortText }) => ({ name, kind, sortText }));
}

function describe(languageService: ts.LanguageService, at: number): string | undefined {
  const found = languageService.getQuickInfoAtPosition(PROGRAM, at);
  if (!found) return undefined;
  const parts = [found.displayParts, found.documentation].map(ts.displayPartsToString);
  return parts.filter(Boolean).join('\n\n');
}

async function answer({ ask, program, at = 0 }: Question): Promise<unknown> {
  const languageService = await service;
  // No question may come in between from here on.
  if (text !== program) {
    text = program;
    version++;
  }
  if (ask === 'compile') return compile(languageService);
  if (ask === 'check') return check(languageService);
  return ask === 'complete' ? complete(languageService, at) : describe(languageService, at);
}

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  void answer(data).then(
    (value) => {
      postMessage({ id: data.id, value } satisfies Answer);
    },
    (error: unknown) => {
      postMessage({ id: data.id, error: String(error) } satisfies Answer);
    },
  );
});
