// plugin.mjs - the rules of ESLint that are our own.

import { reasonedSuppressions } from './reasoned-suppressions.mjs';

export const entitable = {
  rules: {
    'reasoned-suppressions': reasonedSuppressions,
  },
};
