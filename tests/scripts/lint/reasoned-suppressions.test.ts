import { reasonedSuppressions } from '../../../scripts/lint/reasoned-suppressions.mjs';
import { runRule } from './rule-tester.js';

runRule('reasoned-suppressions', reasonedSuppressions, {
  valid: {
    'a comment': '// It says why.\nlet a = 1;',
    'a rule that is off for a line, with a reason':
      '// eslint-disable-next-line no-var -- a script of the sixties\nvar a = 1;',
  },
  invalid: {
    'no reason': {
      code: '// eslint-disable-next-line no-var\nvar a = 1;',
      found: ['say why'],
    },
    'no rule': {
      code: '// eslint-disable-next-line -- all of them\nvar a = 1;',
      found: ['Name the rule'],
    },
    'all of a file': {
      code: '/* eslint-disable no-var -- a script of the sixties */\nvar a = 1;',
      found: ['for a line'],
    },
  },
});
