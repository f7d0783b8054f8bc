import { usePackage } from './program.js';

// The title is what the test waits for.
usePackage().then(
  (result) => (document.title = result),
  (error) => (document.title = `${error}`),
);
