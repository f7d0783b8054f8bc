// arguments-before-await.mjs - an asynchronous function must read the arguments of its caller
// before the first await, or keep a copy, because the caller may change an object during the call.
//
// The rule applies to functions that a module exports and to public methods of classes, if they are
// asynchronous or return a promise. An argument is a parameter, or a variable with a part of it, if
// its type is an object that the caller owns: options, an array, an entity, bytes. A call may use
// other objects as long as it lasts; `owned-type.mjs` knows them.
//
// The rule follows the paths of the code. An inner function may run at any time, so it must not
// read an argument, unless a method calls it at once, as `map` does. In a function that returns a
// promise and is not marked `async`, the rule applies only to inner functions for `then()`,
// `catch()` or `finally()`: others may be called before it returns.

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
    const checker = new PathChecker(context);
    const waits = () => note(checker.path, WAIT);
    return {
      onCodePathStart: (_, node) => checker.begin(node),
      onCodePathEnd: () => checker.end(),
      onCodePathSegmentStart(segment) {
        checker.path.open.add(segment);
        checker.path.segments.set(segment, []);
      },
      onCodePathSegmentEnd: (segment) => checker.path.open.delete(segment),
      Identifier: (node) => checker.read(node),
      'AwaitExpression:exit': waits,
      'YieldExpression:exit': waits,
      'ForOfStatement[await=true] > .body': waits,
      // A generator begins when its caller asks for the first element.
      ':function[generator=true] > BlockStatement': waits,
      // An array is read again for each of its elements.
      'ForOfStatement > .body:exit': ({ parent }) => checker.readAgain(rootOf(parent.right)),
    };
  },
};

/** Follows the paths of the code in a file, and reports late reads. */
class PathChecker {
  #context;
  #isOwned;
  #givesPromise;
  // Identifiers that read an argument, with the function of the argument.
  #arguments = new Map();
  // Of the functions that are open, the innermost last.
  #paths = [];

  constructor(context) {
    const services = ESLintUtils.getParserServices(context);
    const { handles = [] } = context.options[0] ?? {};
    const isOwnedType = ownedTypes(services.program.getTypeChecker(), handles);
    this.#context = context;
    this.#isOwned = (node) => isOwnedType(services.getTypeAtLocation(node));
    this.#givesPromise = promiseGivers(services);
  }

  get path() {
    return this.#paths.at(-1);
  }

  begin(node) {
    this.#paths.push({ node, open: new Set(), segments: new Map() });
    if (!isEntry(node) || !(node.async || this.#givesPromise(node))) return;
    const { scopeManager } = this.#context.sourceCode;
    const parameters = scopeManager
      .getDeclaredVariables(node)
      .filter(({ defs }) => defs.some(({ type }) => type === 'Parameter'));
    for (const variable of withParts(parameters, scopeManager, this.#isOwned)) {
      for (const reference of variable.references) {
        if (reference.isRead()) this.#arguments.set(reference.identifier, node);
      }
    }
  }

  end() {
    for (const identifier of lateReads(this.#paths.pop().segments))
      this.#report(identifier, 'late');
  }

  read(identifier) {
    // The first value of a member has a path of its own, with the same node.
    const at = this.#paths.findLastIndex(({ node }) => node === this.#arguments.get(identifier));
    if (at < 0) return;
    const path = this.#paths[at];
    const within = this.#paths.slice(at + 1).map(({ node }) => node);
    if (within.every(isCalledAtOnce)) note(path, identifier);
    else if (path.node.async || within.some(isCalledThen)) this.#report(identifier, 'inner');
  }

  readAgain(identifier) {
    if (this.#arguments.get(identifier) === this.path.node) note(this.path, identifier);
  }

  #report(node, messageId) {
    this.#context.report({ node, messageId, data: { name: node.name } });
  }
}

const WAIT = Symbol('wait');

/** Adds an event at the current place in the code of a function. */
function note({ open, segments }, event) {
  for (const segment of open) segments.get(segment).push(event);
}

/** The reads that may come after a wait. */
function lateReads(segments) {
  const late = new Set();
  const waited = new Set(); // Segments with a wait before their end.
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

/** Returns a function that checks whether a function returns a promise, always or sometimes. */
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

/** The variables that hold an object of the caller, and variables that hold a part of one. */
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

/** The longest expression for a part of the value of an identifier: `a.b.c`. */
function wholeOf(node) {
  const { parent } = node;
  const isPart = PARTS.includes(parent.type) && (parent.object ?? parent.expression) === node;
  return isPart ? wholeOf(parent) : node;
}

/** The first identifier of such an expression. */
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
