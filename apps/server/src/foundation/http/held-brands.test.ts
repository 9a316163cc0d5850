import { expect, it, vi } from 'vitest';
import { heldBrands } from './held-brands.ts';

it('asks for the brand of a host once in a while, however many pages are asked for', async () => {
  const ask = vi.fn(async (host: string) => `brand of ${host}`);
  const brandOf = heldBrands(ask);
  expect(await Promise.all([brandOf('a'), brandOf('a'), brandOf('b')])).toEqual([
    'brand of a',
    'brand of a',
    'brand of b',
  ]);
  expect(await brandOf('a')).toBe('brand of a');
  expect(ask).toHaveBeenCalledTimes(2);
});

it('asks again after a failure, which it throws', async () => {
  const ask = vi.fn(async () => 'brand').mockRejectedValueOnce(new Error('The database is down.'));
  const brandOf = heldBrands<string>(ask);
  await expect(brandOf('a')).rejects.toThrow('The database is down.');
  expect(await brandOf('a')).toBe('brand');
});

it('goes on without the brand where it does not come in time, and asks for few at a time', async () => {
  const ask = vi.fn(() => new Promise<string>(() => undefined));
  const brandOf = heldBrands(ask);
  const hosts = Array.from({ length: 50 }, (_, number) => `host-${number}`);
  expect(await Promise.all(hosts.map(brandOf))).toEqual(hosts.map(() => null));
  expect(ask.mock.calls.length).toBeLessThan(10);
});
