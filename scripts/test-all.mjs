// test-all.mjs - `npm run test:all`: the whole matrix of tests (test/tier.mjs), with the arguments
// of `npm test`.

process.env.ENTITABLE_TESTS = 'all';
await import('./test.mjs');
