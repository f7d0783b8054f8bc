/**
 * What a language has to say. A language is an object with all of these texts, so a missing one
 * does not compile.
 *
 * @module
 */

/**
 * A text that depends on a number, by the plural form of the number. The forms of a language are
 * those of `Intl.PluralRules`.
 */
export type PluralText<Forms extends string = string> = Readonly<Record<Forms, string>>;

/** The texts of one language. `{limit}`, `{actual}`, `{character}` and `{count}` are filled in. */
export interface Texts<Forms extends string = string> {
  /** Its BCP 47 tag, for numbers and dates. */
  readonly language: string;

  /** A value is missing: one to type, to choose, a box to tick, and a file. */
  readonly required: string;
  readonly requiredChoice: string;
  readonly requiredBox: string;
  readonly requiredFile: string;

  /** What was typed is of another type. */
  readonly wholeNumber: string;
  readonly number: string;
  readonly date: string;
  /** A date or a time that no calendar or clock shows. */
  readonly noSuchTime: string;
  readonly id: string;
  readonly yesOrNo: string;
  readonly email: string;
  readonly url: string;
  /** Any other value that cannot be. */
  readonly invalid: string;
  /** A number that is out of the range of its type. */
  readonly outOfRange: string;
  /** A number with more digits before the point than its type holds. */
  readonly tooManyDigits: string;

  /** Lengths of texts, by the plural form of `{limit}`. */
  readonly tooShort: PluralText<Forms>;
  readonly tooLong: PluralText<Forms>;

  /** Sizes of files: `{limit}` has its unit. */
  readonly fileTooSmall: string;
  readonly fileTooLarge: string;

  /** Limits of numbers. */
  readonly minimum: string;
  readonly maximum: string;
  readonly above: string;
  readonly below: string;
  readonly multipleOf: string;

  /** Limits of dates. */
  readonly earliest: string;
  readonly latest: string;
  readonly after: string;
  readonly before: string;

  /** A value that is not in the list. */
  readonly choice: string;
  /** A text that does not fit the pattern. */
  readonly pattern: string;
  /** `{character}` cannot be in this text. */
  readonly character: string;
  /** All values together are too much. */
  readonly tooMuch: string;

  /** Why a submit was refused. */
  readonly exists: string;
  readonly changed: string;
  readonly gone: string;
  /** The storage of the device is full. */
  readonly noRoom: string;
  readonly failed: string;

  /** A check of the app could not be made. */
  readonly unchecked: string;

  /** The heading of a summary, by the plural form of `{count}`. */
  readonly summary: PluralText<Forms>;
}
