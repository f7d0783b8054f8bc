import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

import { build } from 'esbuild';
import { chromium, type Browser } from 'playwright-core';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { chromiumLaunchOptions } from '../../scripts/lib/chromium.mjs';
import { serve } from '../../scripts/lib/server.mjs';

// Every example of the pages below is run in a browser, as an application would bundle
// it: from the built package, under a strict Content-Security-Policy; those for servers
// in Node.  What it prints must be what the comment behind each console.log says.
const folder = 'build/readme';

interface Example {
  readonly heading: string;
  readonly language: string;
  readonly code: string;
}

const examples = ['README.md', 'docs/recovery.md'].flatMap((page) =>
  readExamples(readFileSync(page, 'utf8')),
);

let browser: Browser;
let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['entitable.wasm', 'entitable-http.wasm', 'entitable-verify.wasm']) {
    copyFileSync(`dist/${name}`, `${folder}/${name}`);
  }
  server = await serve(folder, { port: 0 });
  browser = await chromium.launch(chromiumLaunchOptions());
});

afterAll(async () => {
  await browser.close();
  await server.close();
});

function readExamples(text: string): Example[] {
  const examples: Example[] = [];
  let heading = '';
  for (const match of text.matchAll(/^##+ (.+)$|^```(\w*)\n([^]*?)^```$/gm)) {
    if (match[1]) heading = match[1];
    else examples.push({ heading, language: match[2]!, code: match[3]! });
  }
  return examples;
}

function expectedOutput(code: string): string[] {
  return [...code.matchAll(/^\s*console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]!);
}

const isForServers = ({ code }: Example) => code.includes('entitable/storage/file');

async function bundle({ code }: Example, outfile: string): Promise<void> {
  await build({
    stdin: { contents: `${code}\nconsole.log('THE END');`, resolveDir: '.', loader: 'ts' },
    bundle: true,
    format: 'esm',
    external: ['node:*'],
    outfile,
    logLevel: 'silent',
  });
}

/** What the example prints in Node, in a folder of its own. */
async function outputInNode(example: Example, index: number): Promise<string[]> {
  await bundle(example, `${folder}/${index}.mjs`);
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const output = execFileSync(process.execPath, [`${index}.mjs`], options);
  return output
    .replace(/THE END\n$/, '')
    .split('\n')
    .slice(0, -1);
}

/** Bundles the example and returns the address of a page that runs it. */
async function pageOf(example: Example, index: number): Promise<string> {
  await bundle(example, `${folder}/${index}.js`);
  const page = `<!doctype html><title>${index}</title><script type="module" src="${index}.js"></script>`;
  writeFileSync(`${folder}/${index}.html`, page);
  return `${server.url}${index}.html`;
}

/** What the page prints, up to the end of the example or the first error. */
async function outputOf(url: string): Promise<string[]> {
  const page = await browser.newPage();
  try {
    return await new Promise<string[]>((done) => {
      const lines: string[] = [];
      page.on('pageerror', (error) => done([...lines, `ERROR ${error.message}`]));
      page.on('console', (message) => {
        if (message.text() === 'THE END') done(lines);
        else if (message.type() === 'log') lines.push(message.text());
      });
      void page.goto(url);
    });
  } finally {
    await page.close();
  }
}

/** What the compiler says of the example under the strictest rules. */
function diagnosticsOf({ code }: Example, index: number): string[] {
  const file = `${folder}/${index}.ts`;
  writeFileSync(file, code);
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the documentation', () => {
  it('has examples, all of them in TypeScript', () => {
    expect(examples.length).toBeGreaterThan(3);
    expect(examples.filter(({ language }) => language !== 'ts')).toEqual([]);
  });

  it.each(examples.map((example, index) => ({ ...example, index })))(
    'shows under "$heading" what a reader gets',
    async (example) => {
      const output = isForServers(example)
        ? await outputInNode(example, example.index)
        : await outputOf(await pageOf(example, example.index));

      expect(output).toEqual(expectedOutput(example.code));
      expect(output.length).toBeGreaterThan(0);
    },
  );

  it.each(examples.map((example, index) => ({ ...example, index })))(
    'shows under "$heading" what compiles',
    (example) => {
      expect(diagnosticsOf(example, example.index)).toEqual([]);
    },
  );
});
