// abort-listeners.mjs - a signal that has fired does not call later listeners, so a function that
// listens to a signal must also check whether it has fired.

const FUNCTIONS = ['ArrowFunctionExpression', 'FunctionDeclaration', 'FunctionExpression'];

export const abortListeners = {
  meta: {
    type: 'problem',
    messages: {
      unread: '{{signal}} may have fired already: read {{signal}}.aborted in this function.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const textOf = (node) => sourceCode.getText(node);
    const isRead = (signal, within) =>
      [`${signal}.aborted`, `${signal}?.aborted`].some((text) => textOf(within).includes(text));
    return {
      'CallExpression[callee.property.name="addEventListener"]'(node) {
        if (node.arguments[0]?.value !== 'abort') return;
        const signal = textOf(node.callee.object);
        const within = sourceCode
          .getAncestors(node)
          .findLast(({ type }) => FUNCTIONS.includes(type));
        if (!isRead(signal, within ?? sourceCode.ast)) {
          context.report({ node, messageId: 'unread', data: { signal } });
        }
      },
    };
  },
};
