/**
 * What the devices of this page sync.
 *
 * @module
 */

/** An entity of the table. */
export interface Todo {
  partitionKey: string;
  rowKey: string;
  text: string;
  done: boolean;
}

export const TABLE = 'Todos';
export const PARTITION = 'ann';

/** What all have in the beginning. */
export const FIRST_TODOS: readonly Todo[] = [
  { partitionKey: PARTITION, rowKey: '1', text: 'Buy milk', done: false },
  { partitionKey: PARTITION, rowKey: '2', text: 'Call the vet', done: false },
];
