// frames.js - measures the longest time between two frames of a page.

const nextFrame = () => new Promise(requestAnimationFrame);

/** Returns a function that ends this, and returns the longest time between two frames. */
function askForFrames() {
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
export async function measureFrameGap(work) {
  // The first frame after a pause may come at any time; those that follow come in a rhythm.
  for (let i = 0; i < 3; i++) await nextFrame();
  const end = askForFrames();
  let longestGapMs;
  const start = performance.now();
  let ms;
  let result;
  try {
    result = await work();
    ms = performance.now() - start;
  } finally {
    longestGapMs = await end();
  }
  return { ms, longestGapMs, result };
}
