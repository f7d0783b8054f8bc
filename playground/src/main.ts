/**
 * The playground: an editor, a program that runs with the real module, and what comes of it.
 *
 * The site's page has an empty element with the id `playground-app`; everything in it is made here.
 *
 * @module
 */

import { exampleIn, fragmentOf, programIn } from './address.js';
import { Compiler, type Fault } from './compiler.js';
import { createEditor, type Editor } from './editor.js';
import { markup } from './markup.js';
import type { FrameMessage, Library } from './messages.js';
import { runProgram, type Program } from './program.js';
import { showLine, showTables } from './results.js';

/** An example of the documentation. */
interface Example {
  /** What stands in the address. */
  readonly name: string;
  /** The title of its page, and the heading above it. */
  readonly page: string;
  readonly heading: string;
  readonly code: string;
}

// TypeScript looks at the program when the typing rests.
const REST_MS = 400;

class Playground {
  readonly #parts = markup();
  readonly #compiler = new Compiler(new URL('compiler-worker.js', import.meta.url));
  readonly #editor: Editor;
  readonly #examples: readonly Example[];
  #library: Promise<Library> | undefined;
  #program: Program | undefined;
  // Each start makes those before it void, because compiling takes a while.
  #starts = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #thrown: Fault[] = [];

  constructor(place: HTMLElement, examples: readonly Example[]) {
    this.#examples = examples;
    place.replaceChildren(this.#parts.whole);
    this.#editor = createEditor(this.#parts.editor, this.#compiler, {
      changed: () => {
        this.#typed();
      },
      run: () => {
        this.#do(this.#run());
      },
    });
    this.#offerExamples();
    this.#parts.run.addEventListener('click', () => {
      this.#do(this.#run());
    });
    this.#parts.stop.addEventListener('click', () => {
      this.#stop('Stopped.');
    });
    this.#parts.share.addEventListener('click', () => {
      this.#do(this.#share());
    });
    addEventListener('hashchange', () => {
      this.#do(this.#openAddress());
    });
  }

  /** Shows the program of the address, or the first example. It runs only when it is asked to. */
  async #openAddress(): Promise<void> {
    const program = await programIn(location.hash);
    const named = this.#examples.find(({ name }) => name === exampleIn(location.hash));
    const example = named ?? this.#examples[0]!;
    const shown = program ?? example.code;
    this.#parts.examples.value = program === undefined ? example.name : '';
    if (shown !== this.#editor.program) this.#editor.show(shown);
    if (location.hash.startsWith('#code=') && program === undefined) {
      this.#say('The program in this address is not whole. Copy the whole address once more.');
    }
  }

  async open(): Promise<void> {
    showTables(this.#parts.tables, []);
    await this.#openAddress();
    // Both are large, and the first run needs them.
    this.#library = loadLibrary();
    this.#library.catch(() => {
      // The run that needs it says so.
      this.#library = undefined;
    });
  }

  #offerExamples(): void {
    const { examples } = this.#parts;
    for (const label of new Set(this.#examples.map(({ page }) => page))) {
      const group = Object.assign(document.createElement('optgroup'), { label });
      const list = this.#examples.filter(({ page }) => page === label);
      group.append(...list.map(({ name, heading }) => new Option(heading, name)));
      examples.append(group);
    }
    examples.addEventListener('change', () => {
      if (examples.value !== '') location.hash = `#example=${examples.value}`;
    });
  }

  #typed(): void {
    this.#thrown = [];
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.#do(this.#check());
    }, REST_MS);
  }

  async #check(): Promise<void> {
    const { program } = this.#editor;
    const faults = await this.#compiler.check(program);
    if (program === this.#editor.program) this.#editor.mark([...faults, ...this.#thrown]);
  }

  async #run(): Promise<void> {
    this.#stop('Compiling …');
    const start = this.#starts;
    this.#parts.output.replaceChildren();
    showTables(this.#parts.tables, []);
    const { script, faults } = await this.#compiler.compile(this.#editor.program);
    this.#library ??= loadLibrary();
    const library = await this.#library;
    if (start !== this.#starts) return;
    if (script === undefined) this.#refuse(faults);
    else this.#start(script, library);
  }

  #refuse(faults: readonly Fault[]): void {
    this.#editor.mark(faults);
    this.#say('This is no TypeScript yet; the editor marks where.');
    for (const { message } of faults) showLine(this.#parts.output, 'error', message);
  }

  #start(script: string, library: Library): void {
    this.#say('Running …');
    this.#parts.stop.disabled = false;
    this.#program = runProgram(script, library, this.#parts.page, (message) => {
      this.#hear(message);
    });
  }

  #hear(message: FrameMessage): void {
    if (message.kind === 'log') showLine(this.#parts.output, message.level, message.text);
    else if (message.kind === 'error') this.#showError(message.text, message.line);
    else if (message.kind === 'tables') showTables(this.#parts.tables, message.tables);
    else if (message.kind === 'end') {
      this.#say(this.#thrown.length > 0 ? 'Ended with an error.' : 'Done.');
      this.#parts.pageBox.hidden = !message.hasPage;
    }
  }

  #showError(text: string, line: number | undefined): void {
    const place = line === undefined ? '' : `Line ${line}: `;
    showLine(this.#parts.output, 'error', `${place}${text}`);
    if (line === undefined) return;
    this.#thrown.push({ ...this.#editor.lineAt(line), message: text });
    this.#editor.mark(this.#thrown);
  }

  #stop(message: string): void {
    this.#starts++;
    this.#program?.stop();
    this.#program = undefined;
    this.#thrown = [];
    this.#parts.stop.disabled = true;
    this.#parts.pageBox.hidden = true;
    this.#say(message);
  }

  async #share(): Promise<void> {
    const fragment = await fragmentOf(this.#editor.program);
    history.replaceState(null, '', fragment);
    try {
      await navigator.clipboard.writeText(location.href);
      this.#say('The address is in the clipboard. It has the whole program in it.');
    } catch {
      this.#say('The address of this page has the whole program now. Copy it from there.');
    }
  }

  /** Work that a user has begun, and that says why it failed. */
  #do(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#say(error instanceof Error ? error.message : String(error));
    });
  }

  #say(text: string): void {
    this.#parts.status.textContent = text;
  }
}

async function loadLibrary(): Promise<Library> {
  const [script, entries] = await Promise.all([
    load('library.js').then((response) => response.text()),
    load('entries.json').then((response) => response.json() as Promise<Library['entries']>),
  ]);
  return { script, entries };
}

async function load(name: string): Promise<Response> {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name} cannot be loaded: ${response.status}`);
  return response;
}

const style = Object.assign(document.createElement('link'), {
  rel: 'stylesheet',
  href: new URL('style.css', import.meta.url).href,
});
document.head.append(style);
const examples = (await (await load('examples.json')).json()) as Example[];
const place = document.querySelector<HTMLElement>('#playground-app');
if (!place) throw new Error('The page has no element with the id "playground-app".');
await new Playground(place, examples).open();
