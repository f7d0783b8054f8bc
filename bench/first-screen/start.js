// start.js - notes when the script starts. It is imported first.

export const startedAt = performance.now();
