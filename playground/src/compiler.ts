/**
 * The page's side of the compiler (compiler-worker.ts).
 *
 * @module
 */

/** Something wrong in a program, from and to these characters. */
export interface Fault {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** `script` is undefined if the program has faults. */
export interface Program {
  readonly faults: readonly Fault[];
  readonly script: string | undefined;
}

export interface Completion {
  readonly name: string;
  /** As TypeScript names it: `method`, `property`, `const` and so on. */
  readonly kind: string;
  readonly sortText: string;
}

/** The declarations that programs see. */
export interface Types {
  /** Texts by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** The paths of the entries of the package, by the names that programs import. */
  readonly entries: Readonly<Record<string, string>>;
  /** The names of the libraries of TypeScript among the files. */
  readonly libraries: readonly string[];
}

export interface Question {
  readonly id: number;
  readonly ask: 'check' | 'compile' | 'complete' | 'describe';
  readonly program: string;
  readonly at?: number;
}

export interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Questions to TypeScript, in a worker that begins with this object. */
export class Compiler {
  readonly #worker: Worker;
  readonly #open = new Map<number, Pending>();
  #lastId = 0;

  constructor(script: URL) {
    this.#worker = new Worker(script);
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      const { resolve, reject } = this.#open.get(data.id)!;
      this.#open.delete(data.id);
      if (data.error === undefined) resolve(data.value);
      else reject(new Error(data.error));
    });
    this.#worker.addEventListener('error', ({ message }) => {
      this.#failAll(new Error(`TypeScript cannot be loaded. ${message}`));
    });
  }

  /** The JavaScript of a program, or what hinders it. Types are not checked. */
  async compile(program: string): Promise<Program> {
    return (await this.#ask({ ask: 'compile', program })) as Program;
  }

  /** Everything that is wrong, types included. */
  async check(program: string): Promise<readonly Fault[]> {
    return (await this.#ask({ ask: 'check', program })) as readonly Fault[];
  }

  /** What may stand at a place. */
  async complete(program: string, at: number): Promise<readonly Completion[]> {
    return (await this.#ask({ ask: 'complete', program, at })) as readonly Completion[];
  }

  /** The type and the documentation of the name at a place. */
  async describe(program: string, at: number): Promise<string | undefined> {
    return (await this.#ask({ ask: 'describe', program, at })) as string | undefined;
  }

  #ask(question: Omit<Question, 'id'>): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#worker.postMessage({ ...question, id } satisfies Question);
    });
  }

  #failAll(error: Error): void {
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }
}
