// Files that Vite hands to a test as text.
declare module '*?raw' {
  const text: string;
  export default text;
}

interface ImportMeta {
  /** All files that a pattern names, as text, under their paths from the script. */
  glob(
    pattern: string,
    options: { readonly eager: true; readonly query: '?raw'; readonly import: 'default' },
  ): Record<string, string>;
}
