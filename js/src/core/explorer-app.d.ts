/**
 * The types of the script with the explorer, which is built from the sources of the demo:
 * `#explorer` in tsconfig.json.
 *
 * @module
 */

/** Shows an account in an element. Returns what takes the explorer away. */
export function mount(element: Element, account: object): () => void;
