import { afterEach, describe, expect, it, vi } from 'vitest';

import { requestLine } from '../../../js/src/cli/log.js';

const line = (target: string | undefined) =>
  requestLine({ method: 'GET', target, outcome: '200 1.2 ms' });

describe('a line of the log', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('has a time', () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2024, 0, 2, 3, 4, 5, 678));

    expect(line('/Tables')).toBe('2024-01-02T03:04:05.678Z GET /Tables 200 1.2 ms');
    expect(line(undefined)).toBe('2024-01-02T03:04:05.678Z GET  200 1.2 ms');
  });

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
    ['/T?design=a&$filter=sig%20eq%201', '/T?design=a&$filter=sig%20eq%201'],
  ])('does not show the signature of %s', (target, shown) => {
    expect(line(target)).toContain(` ${shown} `);
  });
});
