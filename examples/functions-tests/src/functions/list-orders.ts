import { odata } from '@azure/data-tables';
import { app, type HttpRequest, type HttpResponseInit } from '@azure/functions';

import { ordersTable, type Order } from '../orders.js';

/** GET /api/customers/{customer}/orders */
export async function listOrders(request: HttpRequest): Promise<HttpResponseInit> {
  const filter = odata`PartitionKey eq ${request.params['customer']}`;
  const orders = [];
  const found = ordersTable().listEntities<Order>({ queryOptions: { filter } });
  for await (const { rowKey: id, product, count } of found) orders.push({ id, product, count });
  return { jsonBody: orders };
}

app.http('listOrders', {
  methods: ['GET'],
  route: 'customers/{customer}/orders',
  handler: listOrders,
});
