// frames.js - measures how long a page shows no new frame.

const nextFrame = () => new Promise(requestAnimationFrame);

/** Returns a function that ends the watch, and returns the longest time between two frames. */
function watchFrames() {
  let longest = 0;
  let last = performance.now();
  let isOver = false;
  const onFrame = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  return async () => {
    await nextFrame();
    isOver = true;
    return longest;
  };
}

/** Does some work, right after a frame. Returns its time, and the longest time between frames. */
export async function watched(work) {
  // The first frame after a pause may come at any time; those that follow come in a rhythm.
  for (let i = 0; i < 3; i++) await nextFrame();
  const end = watchFrames();
  const start = performance.now();
  const result = await work();
  const ms = performance.now() - start;
  return { ms, longestFrameMs: await end(), result };
}
