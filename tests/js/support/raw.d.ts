// Files that Vite hands to a test as text.
declare module '*?raw' {
  const text: string;
  export default text;
}
