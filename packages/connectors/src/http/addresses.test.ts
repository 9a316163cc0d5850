import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { checkedLookup, isRefusedAddress } from './addresses.ts';

describe('which addresses are refused', () => {
  it.each([
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.100.100.200',
    '169.254.169.254',
    '168.63.129.16',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2001:0:7f00:1::',
    '100:0:0:1::1',
    'fec0::1',
    'fe80::1%eth0',
    '169.254.170.2',
    '192.0.0.192',
    'fd20:ce::254',
    '2002:7f00:1::',
  ])('refuses %s, which is not a public address', (address) => {
    expect(isRefusedAddress(address)).toBe(true);
  });

  it.each(['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.63.0.1', '::ffff:8.8.8.8', '2606:4700::1111', '2a00:1450::1'])(
    'lets %s through, which is public',
    (address) => {
      expect(isRefusedAddress(address)).toBe(false);
    },
  );

  it('refuses what is no address at all rather than trusting it', () => {
    expect(isRefusedAddress('localhost')).toBe(true);
    expect(isRefusedAddress('')).toBe(true);
  });
});

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
