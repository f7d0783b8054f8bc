import { app, type HttpRequest, type HttpResponseInit } from '@azure/functions';

import { ordersTable, type Order } from '../orders.js';

/** POST /api/customers/{customer}/orders/{id} */
export async function addOrder(request: HttpRequest): Promise<HttpResponseInit> {
  const { customer, id } = request.params as { customer: string; id: string };
  const { product, count } = (await request.json()) as Partial<Order>;
  if (!product || !Number.isInteger(count)) {
    return { status: 400, jsonBody: { error: 'An order has a product and a count.' } };
  }
  try {
    await ordersTable().createEntity({ partitionKey: customer, rowKey: id, product, count });
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== 409) throw error;
    return { status: 409, jsonBody: { error: `There is an order ${id} already.` } };
  }
  return { status: 201, jsonBody: { id, product, count } };
}

app.http('addOrder', {
  methods: ['POST'],
  route: 'customers/{customer}/orders/{id}',
  handler: addOrder,
});
