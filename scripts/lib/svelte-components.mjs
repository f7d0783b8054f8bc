// svelte-components.mjs - a Vite plugin that compiles components of Svelte, for tests.

export const svelteComponents = {
  name: 'svelte-components',
  async transform(code, id) {
    if (!id.endsWith('.svelte')) return undefined;
    // It is imported later, because this file is loaded before the packages are installed.
    const { compile } = await import('svelte/compiler');
    const { js } = compile(code, { filename: id, generate: 'client', dev: true });
    return { code: js.code, map: js.map };
  },
};
