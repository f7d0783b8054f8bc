import { describe, expect, it } from 'vitest';

import {
  maskedTarget,
  requestLine,
  requestObject,
  type ServedRequest,
} from '../../../js/src/server/log.js';

const REQUEST: ServedRequest = {
  time: new Date(Date.UTC(2024, 0, 2, 3, 4, 5, 678)),
  method: 'GET',
  target: '/acct/Pets?$top=1&sig=***',
  status: 404,
  errorCode: 'TableNotFound',
  ms: 1.2345,
  bytesIn: 0,
  bytesOut: 120,
  requestId: 'r1',
  clientRequestId: undefined,
};
const ABORTED = { ...REQUEST, status: undefined, errorCode: undefined, requestId: undefined };

describe('a line of the log', () => {
  it('has the time, the request and how it has ended', () => {
    expect(requestLine({ ...REQUEST, target: '/Tables', status: 200 })).toBe(
      '2024-01-02T03:04:05.678Z GET /Tables 200 1.2 ms',
    );
    expect(requestLine({ ...ABORTED, target: '' })).toBe('2024-01-02T03:04:05.678Z GET  aborted');
  });

  it('has no character that steers a terminal', () => {
    expect(requestLine({ ...REQUEST, target: '/\u009b2J', status: 200 })).toContain(
      ' /\\u009b2J 200',
    );
  });

  it('may be an object, which has what is known', () => {
    expect(JSON.parse(requestObject(REQUEST))).toEqual({
      time: '2024-01-02T03:04:05.678Z',
      level: 'info',
      event: 'request',
      method: 'GET',
      path: '/acct/Pets',
      query: '$top=1&sig=***',
      status: 404,
      errorCode: 'TableNotFound',
      ms: 1.2,
      bytesIn: 0,
      bytesOut: 120,
      requestId: 'r1',
    });
    const aborted = JSON.parse(requestObject({ ...ABORTED, target: '/acct' })) as object;
    expect(aborted).toMatchObject({ path: '/acct', aborted: true, level: 'info' });
    expect(Object.keys(aborted)).not.toContain('status');
    expect(Object.keys(aborted)).not.toContain('query');
    expect(JSON.parse(requestObject({ ...REQUEST, status: 503 }))).toMatchObject({
      level: 'error',
    });
  });

  it('stays one line, whatever a client sends', () => {
    const clientRequestId = 'a\nb"\u2028';
    const text = requestObject({ ...REQUEST, clientRequestId });
    expect(text.split('\n')).toHaveLength(1);
    expect(JSON.parse(text)).toMatchObject({ clientRequestId });
  });
});

describe('a target', () => {
  it.each([
    ['/T?sv=1&sig=a%2Bb%3D&tn=T', '/T?sv=1&sig=***&tn=T'],
    ['/T?sig=abc', '/T?sig=***'],
    ['/T?sig=a=b==', '/T?sig=***'],
    ['/T?sig=a&sig=b', '/T?sig=***&sig=***'],
    ['/T?SIG=a', '/T?SIG=***'],
    ['/T?%73ig=a&s%69%67=b', '/T?%73ig=***&s%69%67=***'],
    ['/T?+sig=a&%20sig=b', '/T?+sig=***&%20sig=***'],
    ['/T?%zz=a', '/T?%zz=***'],
    ['http://a/T?sig=a', 'http://a/T?sig=***'],
    ['http://user:word@a/T', 'http://***@a/T'],
    // The whole address, encoded once too often.
    ['/T%3Fsv=1%26sig%3Dabc%252B%26tn%3DT', '/T%3Fsv=1%26sig%3D***%26tn%3DT'],
    ['/T%3fsig=abc', '/T%3fsig=***'],
    ['/T?design=a&$filter=sig%20eq%201', '/T?design=a&$filter=sig%20eq%201'],
    ["/T(PartitionKey='design=1',RowKey='')", "/T(PartitionKey='design=1',RowKey='')"],
  ])('does not show the signature of %s', (target, shown) => {
    expect(maskedTarget(target)).toBe(shown);
  });
});
