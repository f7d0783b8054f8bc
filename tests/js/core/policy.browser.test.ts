// What a Content-Security-Policy forbids of the module, and what the error says. A frame has a
// policy of its own.

import { expect, it, onTestFinished } from 'vitest';

const COMPILE = new URL('../../../js/src/core/compile.ts', import.meta.url).href;
const ADDRESS = new URL('/entitable.wasm', location.href).href;

/** The message of the error after the frame has tried to load the module. */
async function messageUnder(policy: string): Promise<string> {
  const frame = document.createElement('iframe');
  onTestFinished(() => frame.remove());
  const tried = new Promise<string>((resolve) => {
    addEventListener('message', ({ data, source }) => {
      if (source === frame.contentWindow) resolve(data as string);
    });
  });
  frame.srcdoc = `<meta http-equiv="Content-Security-Policy" content="${policy}">
    <script type="module">
      import { compileFrom, loadError } from '${COMPILE}';
      const place = { source: () => '${ADDRESS}', inlineEntry: 'entitable/inline' };
      const cause = await compileFrom(undefined, place).catch((error) => error);
      parent.postMessage(loadError(cause, undefined, place).message, '*');
    </script>`;
  document.body.append(frame);
  return await tried;
}

it('a policy that forbids to fetch the module is named, with the directive that it needs', async () => {
  const message = await messageUnder("connect-src 'none'");

  expect(message).toContain(`${ADDRESS} is forbidden by the connect-src`);
  expect(message).toContain('needs the origin of this address in connect-src');
  expect(message).not.toMatch(/wasm-unsafe-eval|bundler/);
});
