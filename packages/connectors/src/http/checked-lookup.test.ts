import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { checkedLookup } from './checked-lookup.ts';

describe('the lookup a socket connects with', () => {
  const publicAddress: LookupAddress = { address: '8.8.8.8', family: 4 };
  const privateAddress: LookupAddress = { address: '10.0.0.7', family: 4 };

  function look(found: LookupAddress[], options: { all: boolean; allowPrivateAddresses: boolean }) {
    const lookup = checkedLookup(async () => found, options.allowPrivateAddresses);
    return new Promise<{ error: Error | null; address: unknown }>((resolve) => {
      lookup('vendor.example', { all: options.all }, (error, address) => resolve({ error, address }));
    });
  }

  it('keeps only public addresses of a name that mixes public with private ones', async () => {
    const { address } = await look([privateAddress, publicAddress], { all: true, allowPrivateAddresses: false });
    expect(address).toEqual([publicAddress]);
  });

  it('fails when a name has private addresses only, and says which setting would allow it', async () => {
    const { error } = await look([privateAddress], { all: true, allowPrivateAddresses: false });
    expect(error?.message).toContain('ALLOW_PRIVATE_ADDRESSES');
  });

  it('answers a single address where a single one is asked for', async () => {
    const { address } = await look([privateAddress, publicAddress], { all: false, allowPrivateAddresses: false });
    expect(address).toBe('8.8.8.8');
  });

  it('lets private addresses through where the operator allows them', async () => {
    const { address } = await look([privateAddress], { all: false, allowPrivateAddresses: true });
    expect(address).toBe('10.0.0.7');
  });
});
