/**
 * Whether the user presses a pointer.
 *
 * @module
 */

/**
 * Returns a function that calls back when no pointer is pressed. A message that appears while a
 * pointer is pressed may move the button below it, so it waits for the release.
 */
export function pressesOf(
  root: Node & ParentNode,
  signal: AbortSignal,
): (onReleased: () => void) => void {
  // A pointer may be pressed since before.
  let isPressed = root.querySelector(':active') !== null;
  let waiting: (() => void)[] = [];
  const release = () => {
    isPressed = false;
    for (const onReleased of waiting) onReleased();
    waiting = [];
  };
  const options = { signal, capture: true };
  root.addEventListener('pointerdown', () => (isPressed = true), options);
  for (const end of ['pointerup', 'pointercancel']) {
    // The click follows at once.
    root.addEventListener(end, () => setTimeout(release), options);
  }
  return (onReleased) => {
    if (isPressed) waiting.push(onReleased);
    else onReleased();
  };
}
