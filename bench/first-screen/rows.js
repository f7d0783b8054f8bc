// rows.js - the rows of the first screen: about 100 bytes each.

/** The id of a row by its number. */
export const idOf = (number) => String(number).padStart(8, '0');

// No two rows have the same: multiplying by an odd number gives each value of 31 bits once.
const priorityOf = (number) => Math.imul(number, 0x9e3779b1) & 0x7fffffff;

/** Those from one number to before another. */
export const rowsFrom = (from, end) =>
  Array.from({ length: end - from }, (_, at) => {
    const number = from + at;
    return {
      id: idOf(number),
      title: `Call customer ${number} about the order of last week`,
      priority: priorityOf(number),
      done: number % 3 === 0 ? 1 : 0,
    };
  });
