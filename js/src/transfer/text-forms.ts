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

/** As programs write them. */
export const PLAIN_FORMS: TextForms = { decimal: '.', dates: 'ymd', hasGroups: false };

const GROUPED: TextForms = { decimal: '.', dates: 'ymd', hasGroups: true };
const COMMA: TextForms = { decimal: ',', dates: 'dmy', hasGroups: true };
const DAY_FIRST: TextForms = { decimal: '.', dates: 'dmy', hasGroups: true };
const MONTH_FIRST: TextForms = { decimal: '.', dates: 'mdy', hasGroups: true };
const ALL: readonly TextForms[] = [PLAIN_FORMS, GROUPED, DAY_FIRST, MONTH_FIRST, COMMA];

/** What is not to be guessed. */
export type KnownForms = Partial<Pick<TextForms, 'decimal' | 'dates'>>;

/** The forms that a file may have, the most usual first. */
export function formsFor({ decimal, dates }: KnownForms): readonly TextForms[] {
  const fit = ALL.filter(
    (one) =>
      (decimal === undefined || (one.decimal === decimal && one.hasGroups)) &&
      (dates === undefined || one.dates === dates),
  );
  if (fit.length > 0) return fit;
  return [{ decimal: decimal ?? '.', dates: dates ?? 'ymd', hasGroups: true }];
}

/**
 * The forms that give most columns a type. If they differ in what a text means, as for a file whose
 * only day is 02/03/2024, these texts stay texts.
 *
 * @param typed - for each of the forms, how many columns have another type than String.
 */
export function bestForms(forms: readonly TextForms[], typed: readonly number[]): TextForms {
  const most = Math.max(...typed);
  const best = forms.filter((_, at) => typed[at] === most);
  const has = (one: TextForms) => best.includes(one);
  if (best.length === 1 || has(PLAIN_FORMS)) return best[0]!;
  if (has(GROUPED) && !has(COMMA)) return GROUPED;
  if (!has(GROUPED) && !has(MONTH_FIRST)) return best[0]!;
  const isSure = (one: TextForms) => one.dates === 'ymd' && !has(one);
  const sure = Math.max(...typed.filter((_, at) => isSure(forms[at]!)));
  return forms.find((one, at) => isSure(one) && typed[at] === sure) ?? forms[0]!;
}

const MARKS = /[.,/-]/;
const LONGEST = 40;
const DAY =
  /^(\d{1,4})([./-])(\d{1,2})\2(\d{4}|\d{1,2})(?:,? (\d{1,2}):(\d\d)((?::\d\d)?)(?: ?([AP])M)?)?$/i;
const POINT_NUMBER = /^-?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?$/;
const COMMA_NUMBER = /^-?(?:\d{1,3}(?:\.\d{3})+|\d+)?(?:,\d+)?$/;

/** A number or a day as programs write it. Any other text stays as it is. */
export function plainText(text: string, forms: TextForms): string {
  if (text.length > LONGEST || !forms.hasGroups || !MARKS.test(text)) return text;
  if (!/\d/.test(text)) return text;
  if (forms.decimal === ',' && COMMA_NUMBER.test(text)) {
    return text.replaceAll('.', '').replace(',', '.');
  }
  if (forms.decimal === '.' && POINT_NUMBER.test(text)) return text.replaceAll(',', '');
  return dayText(text, forms.dates);
}

function dayText(text: string, dates: TextForms['dates']): string {
  const [all, first, mark, second, third, hour, minute, seconds, half] = DAY.exec(text) ?? [];
  if (all === undefined) return text;
  const parts = [first!, second!, third!];
  // Nobody writes a point behind the number of a month that comes first.
  const order = mark === '.' && dates === 'mdy' ? 'dmy' : first!.length > 2 ? 'ymd' : dates;
  const [year, month, day] = [...'ymd'].map((one) => parts[order.indexOf(one)]!.padStart(2, '0'));
  if (year!.length !== 4) return text;
  if (hour === undefined) return `${year}-${month}-${day}`;
  const of24 = half === undefined ? +hour : (+hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
  if (half !== undefined && (+hour < 1 || +hour > 12)) return text;
  return `${year}-${month}-${day} ${String(of24).padStart(2, '0')}:${minute}${seconds}`;
}
