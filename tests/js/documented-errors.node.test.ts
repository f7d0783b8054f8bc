// Whether the documentation of each public function names the codes that it rejects with.

import ts from 'typescript';
import { describe, expect, it } from 'vitest';

import { ERROR_CODES } from '../../js/src/base/error-codes.js';

const ENTRIES = [
  'js/src/index.ts',
  'js/src/archive.ts',
  'js/src/recovery.ts',
  'js/src/storage/indexeddb.ts',
  'js/src/storage/memory.ts',
];

interface Documented {
  name: string;
  text: string;
}

const program = ts.createProgram(ENTRIES, {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
});
const checker = program.getTypeChecker();

// All comments of a declaration, with its tags, as the source has them.
function commentOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map((comment) => comment.getText().replace(/\s*\n\s*\*/g, ''))
    .join('\n');
}

// Programs call by name; a platform calls what is under a symbol. The package has no types of what
// is internal.
const isPublic = (member: ts.ClassElement): member is ts.MethodDeclaration =>
  ts.isMethodDeclaration(member) &&
  ts.isIdentifier(member.name) &&
  !commentOf(member).includes('@internal');

// A function, or the methods of a class; overloads count as one.
function functionsIn(symbol: ts.Symbol): Documented[] {
  const declarations = symbol.declarations ?? [];
  return declarations.flatMap((node) => {
    if (ts.isFunctionDeclaration(node)) return [{ name: symbol.name, text: commentOf(node) }];
    if (!ts.isClassDeclaration(node)) return [];
    const whole = commentOf(node);
    const comments = new Map<string, string>();
    for (const member of node.members.filter(isPublic)) {
      const name = `${symbol.name}.${member.name.getText()}`;
      comments.set(name, (comments.get(name) ?? '') + commentOf(member));
    }
    return Array.from(comments, ([name, comment]) => ({
      name,
      text: `${comment}\n${/never throws/i.exec(whole)?.[0] ?? ''}`,
    }));
  });
}

const functions = ENTRIES.flatMap((entry) => {
  const module = checker.getSymbolAtLocation(program.getSourceFile(entry)!)!;
  return checker
    .getExportsOfModule(module)
    .map((symbol) =>
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    )
    .flatMap(functionsIn);
});

const codesIn = (text: string) =>
  [...text.matchAll(/`([A-Z]\w+)`/g)]
    .map(([, code]) => code!)
    .filter((code) => code in ERROR_CODES);

describe('the documentation of public functions', () => {
  it('is found', () => {
    const names = functions.map(({ name }) => name);

    expect(names).toEqual(
      expect.arrayContaining([
        ...['openAccount', 'deleteAccount', 'loadValidator', 'odata'],
        ...['indexedDbStorage', 'memoryStorage'],
        ...['createEntity', 'updateEntity', 'upsertEntity', 'deleteEntity']
          .concat('submitTransaction', 'createTable', 'deleteTable')
          .map((method) => `TableClient.${method}`),
        ...['getEntity', 'listEntities', 'countEntities', 'explain', 'liveCount'].map(
          (method) => `TableReader.${method}`,
        ),
        ...['get', 'list', 'insert', 'put', 'update', 'deleteMany'].map(
          (method) => `CommonTable.${method}`,
        ),
        ...['live', 'search'].map((method) => `Table.${method}`),
        'OpenedAccount.close',
        ...['createTable', 'deleteTable', 'listTables', 'tableClient'].map(
          (method) => `TableServiceClient.${method}`,
        ),
        ...['validateEntity', 'validateTableName', 'validatePropertyName', 'validateKey'].map(
          (method) => `Validator.${method}`,
        ),
      ]),
    );
  });

  it.each(functions.map(({ name, text }) => [name, text]))('of %s names codes', (_, text) => {
    if (/never throws/i.test(text)) return expect(codesIn(text)).toEqual([]);
    expect(codesIn(text)).not.toEqual([]);
  });

  it('names only codes that exist', () => {
    const words = functions.flatMap(({ text }) =>
      [...(text.split('@throws')[1] ?? '').matchAll(/`([A-Z][a-z]\w+)`/g)].map(([, word]) => word!),
    );

    expect(words.length).toBeGreaterThan(30);
    expect(words.filter((word) => !(word in ERROR_CODES))).toEqual([]);
  });
});
