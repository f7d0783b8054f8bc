// The text of a file, as the bundler imports it.
declare module '*?raw' {
  const text: string;
  export default text;
}
