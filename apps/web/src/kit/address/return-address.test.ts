import { expect, test } from 'vitest';
import { returnAddress } from './return-address.ts';

test('goes on to an address of the portal', () => {
  expect(returnAddress('/monitoring/companies?search=a#b')).toBe('/monitoring/companies?search=a#b');
});

test.each([
  ...[
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '/a\r',
    'javascript:alert(1)',
  ],
  ...['', undefined, ['/a'], '/login'],
])('goes to the start instead of %j', (next) => {
  expect(returnAddress(next)).toBe('/');
});
