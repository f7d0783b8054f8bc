/**
 * How a file writes numbers and days: `1.234,50` or `1,234.50`, `31.12.2024` or `12/31/2024`.
 *
 * @module
 */

/** How numbers and days are written. Days as in ISO 8601 are always read. */
export interface TextForms {
  readonly decimal: '.' | ',';
  readonly dates: 'ymd' | 'dmy' | 'mdy';
  /** Whether thousands may be apart: by a point or a comma, whichever the decimal sign is not. */
  readonly hasGroups: boolean;
}

/** As programs write them: no text is read in another way. */
export const PLAIN_FORMS: TextForms = { decimal: '.', dates: 'ymd', hasGroups: false };

/** What is not to be guessed. */
export type KnownForms = Partial<Pick<TextForms, 'decimal' | 'dates'>>;

/** The forms that a file may have. */
export function formsFor({ decimal, dates }: KnownForms): readonly TextForms[] {
  const numbers =
    decimal === undefined
      ? (['.', ','] as const).flatMap((sign) => [
          { decimal: sign, hasGroups: false },
          { decimal: sign, hasGroups: true },
        ])
      : [{ decimal, hasGroups: true }];
  const orders = dates === undefined ? (['ymd', 'dmy', 'mdy'] as const) : [dates];
  return numbers.flatMap((one) => orders.map((order) => ({ ...one, dates: order })));
}

const MARKS = /[.,/-]/;
const LONGEST = 40;
const DAY =
  /^(\d{1,4})([./-])(\d{1,2})\2(\d{4}|\d{1,2})(?:,? (\d{1,2}):(\d\d)((?::\d\d)?)(?: ?([AP])M)?)?$/i;
const POINT_NUMBER = /^-?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?$/;
const COMMA_NUMBER = /^-?(?:\d{1,3}(?:\.\d{3})+|\d+)?(?:,\d+)?$/;

// A thousand or one, depending on the sign. Nobody writes 0.123 for 123.
const EITHER = /^-?[1-9]\d{0,2}[.,]\d{3}$/;

/** Whether each decimal sign makes another number of the text: `1.234`. */
export const isEitherNumber = (text: string): boolean => EITHER.test(text);

/** Whether the text may be a number or a day that is written in one of several forms. */
export const mayHaveForms = (text: string): boolean =>
  text.length <= LONGEST && MARKS.test(text) && /\d/.test(text);

/**
 * What texts show of their forms, if they can be read in one form only: `3,5` has a decimal comma,
 * and `1,234` may have one.
 */
export class FormsEvidence {
  readonly #seen = new Set<'comma' | 'point' | 'either' | 'groups,' | 'groups.' | 'dmy' | 'mdy'>();

  add(text: string): void {
    const isPoint = POINT_NUMBER.test(text);
    const isComma = COMMA_NUMBER.test(text);
    if (isComma && !isPoint && text.includes(',')) {
      this.#seen.add('comma');
      if (text.includes('.')) this.#seen.add('groups,');
    } else if (isPoint && !isComma && text.includes('.')) {
      this.#seen.add('point');
      if (text.includes(',')) this.#seen.add('groups.');
    } else if (isEitherNumber(text)) {
      this.#seen.add('either');
    } else {
      this.#addDay(text);
    }
  }

  #addDay(text: string): void {
    const [all, first = '', mark, second = '', third = ''] = DAY.exec(text) ?? [];
    if (all === undefined || first.length > 2 || third.length < 4) return;
    // Nobody writes a point behind the number of a month that comes first.
    if (+first > 12 || mark === '.') this.#seen.add('dmy');
    if (+second > 12) this.#seen.add('mdy');
  }

  /** Whether a text shows that the decimal sign is a comma. */
  get hasComma(): boolean {
    return this.#seen.has('comma');
  }

  /** Whether texts show nothing of the decimal sign, or contradict each other about it. */
  get isUnsure(): boolean {
    return this.hasComma === this.#seen.has('point');
  }

  /** Whether each sign makes another number of a text, and no other text shows which one it is. */
  get isAmbiguous(): boolean {
    return this.#seen.has('either') && !this.#seen.has('point');
  }

  addAll(other: FormsEvidence): void {
    for (const one of other.#seen) this.#seen.add(one);
  }

  /**
   * The forms of the file. What its texts contradict each other about is not read: thousands, too,
   * are apart only where a number also has a decimal sign, because `101,102` may be a list.
   */
  forms({ decimal, dates }: KnownForms): TextForms {
    const has = this.#seen.has.bind(this.#seen);
    const sign = decimal ?? (has('comma') && !has('point') ? ',' : '.');
    const order = has('dmy') ? 'dmy' : 'mdy';
    return {
      decimal: sign,
      dates: dates ?? (has('dmy') === has('mdy') ? 'ymd' : order),
      hasGroups: decimal !== undefined || (has(`groups${sign}`) && !(has('comma') && has('point'))),
    };
  }
}

/**
 * A number or a day as programs write it. Any other text stays as it is.
 *
 * @returns undefined, if the text is a number in another form than these.
 */
export function plainText(text: string, forms: TextForms): string | undefined {
  if (forms === PLAIN_FORMS || !mayHaveForms(text)) return text;
  if (forms.decimal === '.') {
    if (forms.hasGroups && POINT_NUMBER.test(text)) return text.replaceAll(',', '');
  } else if (COMMA_NUMBER.test(text)) {
    const isApart = text.includes('.') && !forms.hasGroups;
    return isApart ? undefined : text.replaceAll('.', '').replace(',', '.');
  } else if (POINT_NUMBER.test(text)) {
    return undefined;
  }
  return dayText(text, forms.dates);
}

function dayText(text: string, dates: TextForms['dates']): string {
  const [all, first, , second, third, hour, minute, seconds, half] = DAY.exec(text) ?? [];
  if (all === undefined) return text;
  const parts = [first!, second!, third!];
  const order = first!.length > 2 ? 'ymd' : dates;
  const [year, month, day] = [...'ymd'].map((one) => parts[order.indexOf(one)]!.padStart(2, '0'));
  if (year!.length !== 4) return text;
  if (hour === undefined) return `${year}-${month}-${day}`;
  const of24 = half === undefined ? +hour : (+hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
  if (half !== undefined && (+hour < 1 || +hour > 12)) return text;
  return `${year}-${month}-${day} ${String(of24).padStart(2, '0')}:${minute}${seconds}`;
}
