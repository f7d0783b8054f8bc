/**
 * What the buttons fill in, as a user would.
 *
 * @module
 */

import { fillForm } from 'entitable/forms';

export interface Sample {
  /** By the name of the control. Undefined clears it. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly photo: File;
}

const DAY = 'T00:00:00Z';

export function example(): Sample {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>';
  return {
    values: {
      ...{ kind: 'dog', name: 'bella', owner: 'ann@example.com', coat: 'curly' },
      ...{ born: new Date(`2021-05-04${DAY}`), visit: new Date('2030-01-15T14:30:00Z') },
      ...{ weight: 12.5, chip: 276_098_102_345_678n, energy: 8, vaccinated: true },
      notes: 'Afraid of thunder.',
    },
    photo: new File([drawing], 'bella.svg', { type: 'image/svg+xml' }),
  };
}

/** Breaks a rule of each kind. */
export function mistakes(): Sample {
  return {
    values: {
      ...{ kind: undefined, name: 'Bella 2', owner: 'ann', coat: undefined },
      ...{ born: new Date(`2021-05-04${DAY}`), visit: new Date('2020-01-15T14:30:00Z') },
      ...{ weight: 12.34, chip: 42n, energy: 5, vaccinated: false },
      notes: 'Afraid of thunder. '.repeat(10),
    },
    photo: new File([new Uint8Array(61_000)], 'large.png', { type: 'image/png' }),
  };
}

/** Fills in a form. Its controls get the events that a user causes. */
export function fillIn(form: HTMLFormElement, { values, photo }: Sample): void {
  fillForm(form, values, { timeZone: 'UTC' });
  const files = new DataTransfer();
  files.items.add(photo);
  const control = form.elements.namedItem('photo') as HTMLInputElement;
  control.files = files.files;
  for (const element of form.querySelectorAll('[name]')) {
    element.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
