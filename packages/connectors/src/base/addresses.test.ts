import { describe, expect, it } from 'vitest';
import { isRefusedAddress } from './addresses.ts';

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
