// plugin.mjs - our own ESLint rules.

import { abortListeners } from './abort-listeners.mjs';
import { argumentsBeforeAwait } from './arguments-before-await.mjs';
import { reasonedSuppressions } from './reasoned-suppressions.mjs';

export const entitable = {
  rules: {
    'abort-listeners': abortListeners,
    'arguments-before-await': argumentsBeforeAwait,
    'reasoned-suppressions': reasonedSuppressions,
  },
};
