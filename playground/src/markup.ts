/**
 * The elements of the playground.
 *
 * @module
 */

const HTML = `
  <div class="playground-tools">
    <label class="playground-examples">
      <span>Example</span>
      <select data-part="examples"><option value="">A program of your own</option></select>
    </label>
    <button type="button" class="is-primary" data-part="run" title="Ctrl+Enter">Run</button>
    <button type="button" data-part="stop" disabled>Stop</button>
    <button type="button" data-part="share">Copy a link</button>
    <p role="status" data-part="status"></p>
  </div>
  <div class="playground-panes">
    <div class="playground-editor" data-part="editor"></div>
    <div class="playground-results">
      <section>
        <h2>Output</h2>
        <ol data-part="output" aria-live="polite"></ol>
      </section>
      <section data-part="pageBox" hidden>
        <h2>Page</h2>
        <div class="playground-page" data-part="page"></div>
      </section>
      <section>
        <h2>Tables</h2>
        <div data-part="tables"></div>
      </section>
    </div>
  </div>`;

export interface Parts {
  readonly whole: HTMLElement;
  readonly examples: HTMLSelectElement;
  readonly run: HTMLButtonElement;
  readonly stop: HTMLButtonElement;
  readonly share: HTMLButtonElement;
  readonly status: HTMLElement;
  readonly editor: HTMLElement;
  readonly output: HTMLElement;
  readonly pageBox: HTMLElement;
  readonly page: HTMLElement;
  readonly tables: HTMLElement;
}

export function markup(): Parts {
  const whole = document.createElement('div');
  whole.className = 'playground';
  whole.innerHTML = HTML;
  const parts = [...whole.querySelectorAll<HTMLElement>('[data-part]')].map(
    (part) => [part.dataset['part'], part] as const,
  );
  // The attribute names each member of `Parts`.
  return { whole, ...Object.fromEntries(parts) } as unknown as Parts;
}
