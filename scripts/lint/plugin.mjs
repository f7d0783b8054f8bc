// plugin.mjs - the rules of ESLint that are our own.

import { argumentsBeforeAwait } from './arguments-before-await.mjs';
import { reasonedSuppressions } from './reasoned-suppressions.mjs';

export const entitable = {
  rules: {
    'arguments-before-await': argumentsBeforeAwait,
    'reasoned-suppressions': reasonedSuppressions,
  },
};
