import { abortListeners } from '../../../scripts/lint/abort-listeners.mjs';
import { runRule } from './rule-tester.js';

runRule('abort-listeners', abortListeners, {
  valid: {
    'a signal that is read first': `
      function follow(signal: AbortSignal, stop: () => void) {
        if (signal.aborted) return;
        signal.addEventListener('abort', stop);
      }`,
    'an optional signal that is read afterwards': `
      const follow = (options: { signal?: AbortSignal }, stop: () => void) => {
        options.signal?.addEventListener('abort', stop);
        if (options.signal?.aborted) stop();
      };`,
    'another event': `
      const listen = (target: EventTarget, close: () => void) =>
        target.addEventListener('close', close);`,
  },
  invalid: {
    'a signal that is not read': {
      code: `
        const follow = (signal: AbortSignal, stop: () => void) =>
          signal.addEventListener('abort', stop);`,
      found: ['read signal.aborted'],
    },
    'a signal that is read by another function': {
      code: `
        function follow(signal: AbortSignal, stop: () => void) {
          const check = () => signal.aborted;
          return check;
        }
        function listen(signal: AbortSignal, stop: () => void) {
          signal.addEventListener('abort', stop);
        }`,
      found: ['read signal.aborted'],
    },
    'another signal that is read': {
      code: `
        function follow(outer: AbortSignal, inner: AbortSignal, stop: () => void) {
          if (outer.aborted) return;
          inner.addEventListener('abort', stop);
        }`,
      found: ['read inner.aborted'],
    },
  },
});
