import { HttpRequest } from '@azure/functions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { addOrder } from '../src/functions/add-order.js';
import { listOrders } from '../src/functions/list-orders.js';
import { ordersTable } from '../src/orders.js';

// Every test begins with an empty table.
beforeEach(() => ordersTable().createTable());
afterEach(() => ordersTable().deleteTable());

function add(customer: string, id: string, order: object) {
  const body = { string: JSON.stringify(order) };
  const url = `http://localhost/api/customers/${customer}/orders/${id}`;
  return addOrder(new HttpRequest({ method: 'POST', url, params: { customer, id }, body }));
}

function list(customer: string) {
  const url = `http://localhost/api/customers/${customer}/orders`;
  return listOrders(new HttpRequest({ method: 'GET', url, params: { customer } }));
}

describe('an order', () => {
  it('is in the list of its customer, and of no other', async () => {
    expect(await add('ann', '1', { product: 'tea', count: 2 })).toMatchObject({ status: 201 });
    await add("o'neil", '1', { product: 'coffee', count: 1 });

    expect((await list('ann')).jsonBody).toEqual([{ id: '1', product: 'tea', count: 2 }]);
    expect((await list("o'neil")).jsonBody).toEqual([{ id: '1', product: 'coffee', count: 1 }]);
    expect((await list('bob')).jsonBody).toEqual([]);
  });

  it('is added once', async () => {
    await add('ann', '1', { product: 'tea', count: 2 });

    expect(await add('ann', '1', { product: 'milk', count: 1 })).toMatchObject({ status: 409 });
    expect((await list('ann')).jsonBody).toEqual([{ id: '1', product: 'tea', count: 2 }]);
  });

  it('without a count is not added', async () => {
    expect(await add('ann', '1', { product: 'tea' })).toMatchObject({ status: 400 });
    expect((await list('ann')).jsonBody).toEqual([]);
  });
});
