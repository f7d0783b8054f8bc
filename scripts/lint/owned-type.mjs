// owned-type.mjs - which types are of objects that a caller owns, and may change while a call lasts.

import ts from 'typescript';

// Of the platform: they do not change, or are there to be used while a call lasts.
const PLATFORM = ['AbortController', 'AbortSignal', 'Error', 'Promise', 'RegExp'];

const UNCHANGING =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.ESSymbolLike |
  ts.TypeFlags.VoidLike |
  ts.TypeFlags.Null |
  ts.TypeFlags.Never;

/**
 * Returns a function that says of a type whether a caller owns its objects, which are data then:
 * options, arrays, entities, bytes, dates.  Functions, instances of classes, and objects that have
 * nothing but methods are there to be used, and so are those of the named types.
 */
export function ownedTypes(checker, handles) {
  const used = new Set([...PLATFORM, ...handles]);
  return function isOwned(type) {
    if (type.isUnion()) return type.types.some(isOwned);
    if (type.flags & UNCHANGING) return false;
    if (type.flags & ts.TypeFlags.TypeParameter) {
      const constraint = checker.getBaseConstraintOfType(type);
      return !constraint || isOwned(constraint);
    }
    const names = [type.aliasSymbol?.name, type.symbol?.name];
    if (names.some((name) => used.has(name)) || isCallable(type)) return false;
    const isInstance = type.symbol?.declarations?.some(ts.isClassLike);
    return !isInstance && (names.includes('Date') || !hasOnlyMethods(type));
  };

  function hasOnlyMethods(type) {
    const members = type.getProperties();
    return members.length > 0 && members.every((member) => isCallable(typeOf(member)));
  }

  function typeOf(member) {
    return checker.getNonNullableType(checker.getTypeOfSymbol(member));
  }
}

const isCallable = (type) => type.getCallSignatures().length > 0;
