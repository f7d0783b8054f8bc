// random-filters.ts - draws filters of both dialects.

import type { Arithmetic, Call, Dialect, Filter, Operand, Operator, TextTest } from './filters.js';
import { NAMES, randomValue, type Below, type Value } from './values.js';

const OPERATORS: readonly Operator[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'];
const TESTS: readonly TextTest[] = ['startswith', 'endswith', 'contains'];
const ARITHMETIC: readonly Arithmetic[] = ['add', 'sub', 'mul', 'div', 'mod'];
const TEXT_CALLS: readonly Call[] = ['tolower', 'toupper'];
const PARTS: readonly Call[] = ['year', 'month', 'day', 'hour', 'minute', 'second'];

/** What filters can be about: keys that entities have, and times, where all are known. */
export interface Known {
  readonly partitionKeys: readonly string[];
  readonly rowKeys: readonly string[];
  readonly times: readonly Value[];
}

/** Draws filters; `known` is asked each time. */
export class FilterMaker {
  readonly #below: Below;
  readonly #known: () => Known;

  constructor(below: Below, known: () => Known) {
    this.#below = below;
    this.#known = known;
  }

  filter(dialect: Dialect, depth = 2): Filter {
    const kind = this.#below(depth > 0 ? 10 : 6);
    if (kind < 6) return this.#condition(dialect);
    if (kind === 6) return { kind: 'not', of: this.filter(dialect, depth - 1) };
    const parts = Array.from({ length: 2 + this.#below(2) }, () => this.filter(dialect, depth - 1));
    return { kind: kind < 9 ? 'and' : 'or', parts };
  }

  #of<T>(list: readonly T[]): T {
    return list[this.#below(list.length)]!;
  }

  #condition(dialect: Dialect): Filter {
    const kind = this.#below(dialect === 'service' ? 12 : 22);
    if (kind === 0) return { kind: 'constant', is: this.#below(3) > 0 };
    if (kind === 1) return { kind: 'flag', name: this.#of(['flag', 'any', 'missing']) };
    if (kind < 12) return this.#comparison();
    if (kind < 15) return { kind: 'in', ...this.#list() };
    if (kind < 18) return this.#test();
    const [a, b] = this.#calculated();
    return { kind: 'comparison', operator: this.#of(OPERATORS), a, b };
  }

  // A property beside a literal, in either order.
  #comparison(): Filter {
    const name = this.#name();
    const literal: Operand = { kind: 'literal', value: this.#valueFor(name) };
    const property: Operand = { kind: 'property', name };
    const [a, b] = this.#below(5) === 0 ? [literal, property] : [property, literal];
    return { kind: 'comparison', operator: this.#of(OPERATORS), a, b };
  }

  #name(): string {
    return this.#of([...NAMES, 'PartitionKey', 'PartitionKey', 'RowKey', 'RowKey', 'missing']);
  }

  #valueFor(name: string): Value {
    const { partitionKeys, rowKeys, times } = this.#known();
    const keys = { PartitionKey: partitionKeys, RowKey: rowKeys }[name];
    if (keys && keys.length > 0 && this.#below(20) > 0) {
      return { type: 'String', value: this.#of(keys) };
    }
    if (name === 'time' && times.length > 0 && this.#below(4) === 0) return this.#of(times);
    return randomValue(name, this.#below);
  }

  #list() {
    const name = this.#name();
    const length = 1 + this.#below(4);
    const list = Array.from({ length }, () => this.#valueFor(name));
    return { of: { kind: 'property', name } as Operand, list };
  }

  #test(): Filter {
    const name = this.#of(['text', 'any', 'PartitionKey', 'RowKey', 'notes']);
    const property: Operand = { kind: 'property', name };
    const of: Operand =
      this.#below(3) === 0 ? { kind: 'call', call: this.#of(TEXT_CALLS), of: property } : property;
    const value: Value = { type: 'String', value: this.#partOf(this.#valueFor(name)) };
    const part: Operand =
      this.#below(6) === 0
        ? { kind: 'property', name: this.#of(['text', 'any']) }
        : { kind: 'literal', value };
    const is = this.#below(4) === 0 ? this.#below(2) === 0 : undefined;
    return { kind: 'test', test: this.#of(TESTS), of, part, is };
  }

  #partOf({ type, value }: Value): string {
    return type === 'String'
      ? Array.from(value)
          .slice(this.#below(2), 1 + this.#below(3))
          .join('')
      : 'a';
  }

  // Two operands that may be equal.
  #calculated(): [Operand, Operand] {
    const property = (name: string): Operand => ({ kind: 'property', name });
    const literal = (value: Value): Operand => ({ kind: 'literal', value });
    const kind = this.#below(5);
    if (kind === 0) return [property(this.#of(NAMES)), property(this.#of(NAMES))];
    if (kind === 1) {
      const name = this.#of(['text', 'notes', 'RowKey', 'any']);
      const of: Operand = { kind: 'call', call: 'length', of: property(name) };
      return [of, literal({ type: 'Int32', value: this.#below(8) })];
    }
    if (kind === 2) {
      const of: Operand = { kind: 'call', call: this.#of(PARTS), of: property('time') };
      return [of, literal({ type: 'Int32', value: this.#of([0, 1, 2, 12, 29, 59, 2020, 9999]) })];
    }
    if (kind === 3) {
      const of: Operand = { kind: 'call', call: this.#of(TEXT_CALLS), of: property('text') };
      return [of, literal(randomValue('text', this.#below))];
    }
    const name = this.#of(['number', 'sum', 'any']);
    return [
      {
        kind: 'arithmetic',
        operator: this.#of(ARITHMETIC),
        a: property(name),
        b: this.#below(3) === 0 ? property('sum') : literal(randomValue('number', this.#below)),
      },
      literal(randomValue('number', this.#below)),
    ];
  }
}
