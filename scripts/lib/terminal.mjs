// terminal.mjs - what the scripts say: plain lines, one for each step.

/** A failure that a person can do something about: what is wrong, and the way out. */
export class Problem extends Error {
  constructor(message, remedy) {
    super(message);
    this.remedy = remedy;
  }
}

// Standard error, because some scripts print an answer for another program on standard output.
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Runs `work` and says how long it took; a step that found nothing to do returns false and stays silent. */
export async function step(name, work) {
  const start = performance.now();
  if ((await work()) === false) return;
  say(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/** Runs a script's body; a Problem ends it with two lines instead of a stack. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    say(`error: ${error instanceof Problem ? error.message : error.stack}`);
    if (error.remedy) say(`to go on: ${error.remedy}`);
    process.exitCode = 1;
  }
}
