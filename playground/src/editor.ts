/**
 * The editor: CodeMirror with TypeScript's completions, descriptions and faults.
 *
 * @module
 */

import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Prec, type Extension } from '@codemirror/state';
import { hoverTooltip, keymap, type Tooltip } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { EditorView, basicSetup } from 'codemirror';

import type { Compiler, Fault } from './compiler.js';

export interface Editor {
  readonly program: string;
  /** Replaces the whole program. */
  show(program: string): void;
  /** Marks these places, in place of those before. Places beyond the end are left out. */
  mark(faults: readonly Fault[]): void;
  /** The place of a line, from 1, or of the last one. */
  lineAt(line: number): Pick<Fault, 'from' | 'to'>;
}

// The kinds that have an icon, by TypeScript's names.
const KINDS: Readonly<Record<string, string>> = {
  ...{ method: 'method', function: 'function', property: 'property', getter: 'property' },
  ...{ const: 'constant', let: 'variable', var: 'variable', parameter: 'variable' },
  ...{ class: 'class', interface: 'interface', type: 'type', keyword: 'keyword' },
};

const COLORS = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier], class: 'tok-keyword' },
  { tag: [tags.string, tags.special(tags.string)], class: 'tok-string' },
  { tag: [tags.number, tags.bool, tags.null], class: 'tok-number' },
  { tag: tags.comment, class: 'tok-comment' },
  { tag: [tags.typeName, tags.className], class: 'tok-type' },
  { tag: tags.function(tags.variableName), class: 'tok-function' },
]);

interface Commands {
  /** Called after each change. */
  readonly changed: () => void;
  /** Called for Ctrl+Enter. */
  readonly run: () => void;
}

export function createEditor(parent: HTMLElement, compiler: Compiler, commands: Commands): Editor {
  const view = new EditorView({ parent, extensions: extensionsFor(compiler, commands) });
  return {
    get program() {
      return view.state.doc.toString();
    },
    show(program) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: program } });
    },
    mark(faults) {
      const { length } = view.state.doc;
      const diagnostics = faults
        .filter(({ to }) => to <= length)
        .map((fault): Diagnostic => ({ ...fault, severity: 'error' }));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    lineAt(line) {
      const { doc } = view.state;
      const { from, to } = doc.line(Math.min(line, doc.lines));
      return { from, to };
    },
  };
}

function extensionsFor(compiler: Compiler, { changed, run }: Commands): Extension[] {
  return [
    // Before the editor's own, which inserts a line.
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (run(), true) }])),
    basicSetup,
    // Escape and then Tab leaves the editor.
    keymap.of([indentWithTab]),
    javascript({ typescript: true }),
    syntaxHighlighting(COLORS),
    autocompletion({ override: [(context) => completions(context, compiler)] }),
    hoverTooltip((of, at) => description(of, at, compiler)),
    lintGutter(),
    EditorView.contentAttributes.of({ 'aria-label': 'Program in TypeScript', tabindex: '0' }),
    EditorView.updateListener.of(({ docChanged }) => {
      if (docChanged) changed();
    }),
  ];
}

async function completions(
  context: CompletionContext,
  compiler: Compiler,
): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w$]*/);
  const isAfterDot = context.matchBefore(/\.[\w$]*/) !== null;
  if (!word || (word.from === word.to && !isAfterDot && !context.explicit)) return null;
  const found = await compiler.complete(context.state.doc.toString(), context.pos);
  if (found.length === 0) return null;
  const options = found.map(({ name, kind, sortText }) => ({
    label: name,
    type: KINDS[kind] ?? 'text',
    // TypeScript sorts what is near first, from 10.
    boost: 20 - Number.parseInt(sortText, 10),
  }));
  return { from: word.from, options, validFor: /^[\w$]*$/ };
}

async function description(
  view: EditorView,
  at: number,
  compiler: Compiler,
): Promise<Tooltip | null> {
  const text = await compiler.describe(view.state.doc.toString(), at);
  if (text === undefined) return null;
  const dom = document.createElement('div');
  dom.className = 'playground-description';
  dom.textContent = text;
  return { pos: at, create: () => ({ dom }) };
}
