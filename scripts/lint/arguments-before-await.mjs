// arguments-before-await.mjs - an asynchronous function reads the arguments of its caller before
// the first await, or keeps a copy: the caller may change an object meanwhile.
//
// It judges functions that a module exports and public methods of classes, if they are asynchronous
// or give a promise.  An argument is a parameter, or a variable that holds a part of it, whose type
// is an object that the caller owns: options, an array, an entity, bytes.  Other objects are there to
// be used for as long as a call lasts; `owned-type.mjs` says which.
//
// The rule follows the paths of the code.  A function within the function may run at any time, so
// it must not read an argument, unless a method calls it at once, as `map` does.  In a function that
// gives a promise and is not marked `async`, only those that it hands to `then()`, `catch()` or
// `finally()` are judged: others may be called before it returns.

import { ESLintUtils } from '@typescript-eslint/utils';

import { ownedTypes } from './owned-type.mjs';

// Methods that call back before they return.
const CALLS_AT_ONCE = [
  ...['every', 'filter', 'find', 'findIndex', 'findLast', 'flatMap', 'forEach', 'map', 'reduce'],
  ...['replace', 'replaceAll', 'some', 'sort', 'toSorted'],
];

export const argumentsBeforeAwait = {
  meta: {
    type: 'problem',
    schema: [
      {
        type: 'object',
        properties: { handles: { type: 'array', items: { type: 'string' } } },
        additionalProperties: false,
      },
    ],
    messages: {
      late: 'The caller may change {{name}} before this reads it: read or copy it before the first await.',
      inner: 'The caller may change {{name}} before this function runs: read or copy it outside.',
    },
  },
  create(context) {
    const services = ESLintUtils.getParserServices(context);
    const { handles = [] } = context.options[0] ?? {};
    const isOwnedType = ownedTypes(services.program.getTypeChecker(), handles);
    const isOwned = (node) => isOwnedType(services.getTypeAtLocation(node));
    const givesPromise = promiseGivers(services);
    const { scopeManager } = context.sourceCode;
    const arguments_ = new Map(); // Identifiers that read one: the function that has it.
    const paths = []; // Of the functions that are open, the innermost last.

    const report = (node, messageId) =>
      context.report({ node, messageId, data: { name: node.name } });

    function begin(node) {
      paths.push({ node, open: new Set(), segments: new Map() });
      if (!isEntry(node) || !(node.async || givesPromise(node))) return;
      const parameters = scopeManager
        .getDeclaredVariables(node)
        .filter(({ defs }) => defs.some(({ type }) => type === 'Parameter'));
      for (const variable of withParts(parameters, scopeManager, isOwned)) {
        for (const reference of variable.references) {
          if (reference.isRead()) arguments_.set(reference.identifier, node);
        }
      }
    }

    function read(identifier) {
      // The first value of a member has a path of its own, with the same node.
      const at = paths.findLastIndex(({ node }) => node === arguments_.get(identifier));
      if (at < 0) return;
      const within = paths.slice(at + 1).map(({ node }) => node);
      if (within.every(isCalledAtOnce)) note(paths[at], identifier);
      else if (paths[at].node.async || within.some(isCalledThen)) report(identifier, 'inner');
    }

    const waits = () => note(paths.at(-1), WAIT);

    return {
      onCodePathStart: (_, node) => begin(node),
      onCodePathEnd() {
        for (const identifier of lateReads(paths.pop().segments)) report(identifier, 'late');
      },
      onCodePathSegmentStart(segment) {
        paths.at(-1).open.add(segment);
        paths.at(-1).segments.set(segment, []);
      },
      onCodePathSegmentEnd: (segment) => paths.at(-1).open.delete(segment),
      Identifier: read,
      'AwaitExpression:exit': waits,
      'YieldExpression:exit': waits,
      'ForOfStatement[await=true] > .body': waits,
      // A generator begins when it is asked for the first element.
      ':function[generator=true] > BlockStatement': waits,
      // An array is read again for each of its elements.
      'ForOfStatement > .body:exit'({ parent }) {
        const array = rootOf(parent.right);
        if (arguments_.get(array) === paths.at(-1).node) note(paths.at(-1), array);
      },
    };
  },
};

const WAIT = Symbol('wait');

/** Has an event happen where the code of a function is. */
function note({ open, segments }, event) {
  for (const segment of open) segments.get(segment).push(event);
}

/** The reads that may come after a wait. */
function lateReads(segments) {
  const late = new Set();
  const waited = new Set(); // Segments at whose end that is so.
  for (let isDone = false; !isDone;) {
    isDone = true;
    for (const [segment, events] of segments) {
      let hasWaited = segment.prevSegments.some((previous) => waited.has(previous));
      for (const event of events) {
        if (event === WAIT) hasWaited = true;
        else if (hasWaited) late.add(event);
      }
      if (!hasWaited || waited.has(segment)) continue;
      waited.add(segment);
      isDone = false;
    }
  }
  return late;
}

/** Returns a function that says of a function whether it gives a promise, if only at times. */
function promiseGivers({ program, esTreeNodeToTSNodeMap }) {
  const checker = program.getTypeChecker();
  const isPromise = (type) =>
    type.isUnion() ? type.types.some(isPromise) : /^Promise(Like)?$/.test(type.symbol?.name);
  return (node) => {
    const signature = checker.getSignatureFromDeclaration(esTreeNodeToTSNodeMap.get(node));
    return isPromise(checker.getReturnTypeOfSignature(signature));
  };
}

/** Whether a node is a function that code of other files may call. */
function isEntry(node) {
  if (!node.params) return false;
  const { parent } = node;
  if (parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition') {
    return parent.key.type !== 'PrivateIdentifier' && parent.accessibility !== 'private';
  }
  const statement = parent.type === 'VariableDeclarator' ? parent.parent.parent : parent;
  return /^Export(Named|Default)Declaration$/.test(statement?.type);
}

/** Of variables those that hold what a caller owns, and those that are made to hold a part of it. */
function withParts(variables, scopeManager, isOwned) {
  const found = new Set();
  for (const queue = [...variables]; queue.length > 0;) {
    const variable = queue.pop();
    if (found.has(variable) || !variable.identifiers.some(isOwned)) continue;
    found.add(variable);
    for (const { identifier } of variable.references) {
      const whole = wholeOf(identifier);
      const { parent } = whole;
      if (parent.type === 'VariableDeclarator' && parent.init === whole) {
        queue.push(...scopeManager.getDeclaredVariables(parent));
      }
    }
  }
  return found;
}

const PARTS = ['MemberExpression', 'TSAsExpression', 'TSNonNullExpression', 'ChainExpression'];

/** The longest expression that names a part of what an identifier names: `a.b.c`. */
function wholeOf(node) {
  const { parent } = node;
  const isPart = PARTS.includes(parent.type) && (parent.object ?? parent.expression) === node;
  return isPart ? wholeOf(parent) : node;
}

/** The identifier with which such an expression begins. */
function rootOf(node) {
  return PARTS.includes(node.type) ? rootOf(node.object ?? node.expression) : node;
}

const PROMISE_METHODS = ['then', 'catch', 'finally'];

function isCalledThen({ parent }) {
  return parent.type === 'CallExpression' && PROMISE_METHODS.includes(parent.callee.property?.name);
}

function isCalledAtOnce(node) {
  const { parent } = node;
  if (parent.type === 'NewExpression') return parent.callee.name === 'Promise';
  if (parent.type !== 'CallExpression') return false;
  if (parent.callee === node) return !node.async && !node.generator;
  return CALLS_AT_ONCE.includes(parent.callee.property?.name);
}
