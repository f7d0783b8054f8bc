// owned-type.mjs - finds the types of objects that a caller owns, and may change during a call.

import ts from 'typescript';

// Objects of the platform that do not change, or that a call may use as long as it lasts.
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
 * Returns a function that checks whether the objects of a type are data of the caller: options,
 * arrays, entities, bytes, dates. A call may use all others as long as it lasts: functions,
 * instances of classes, objects with only methods, and objects of the named types.
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
