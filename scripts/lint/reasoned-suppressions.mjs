// reasoned-suppressions.mjs - a comment that switches a rule off must name the rule and the reason,
// and apply to one line.

const DIRECTIVE = /^\s*eslint-disable(\S*)(.*)$/s;

export const reasonedSuppressions = {
  meta: {
    type: 'problem',
    messages: {
      range: 'Switch a rule off for a line, not for the rest of the file.',
      reason: 'Name the rule, and say why: // eslint-disable-next-line RULE -- REASON',
    },
  },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const [, form, rest] = DIRECTIVE.exec(comment.value) ?? [];
          if (form === undefined) continue;
          const messageId =
            form === '-next-line' || form === '-line'
              ? /\S\s+--\s+\S/.test(rest) || 'reason'
              : 'range';
          if (messageId !== true) context.report({ loc: comment.loc, messageId });
        }
      },
    };
  },
};
