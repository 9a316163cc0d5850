import { expect, it } from 'vitest';
import { isLoopback, publicSetting } from './local-address.ts';

it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('%s is the address of this machine', (address) => {
  expect(isLoopback(address)).toBe(true);
});

it.each(['0.0.0.0', '::', '10.0.0.1', '::ffff:10.0.0.1', '192.168.1.1', 'fe80::1', 'localhost', ''])(
  '"%s" is not an address that this machine has for itself alone',
  (address) => {
    expect(isLoopback(address)).toBe(false);
  },
);

it.each([
  ['127.0.0.1', ''],
  ['localhost', 'http://localhost:8080'],
  ['::1', 'http://[::1]:8080/'],
  ['127.0.0.1', 'https://vmo.localhost'],
])('HOST=%s and PUBLIC_URL=%s are reached from this machine alone', (HOST, PUBLIC_URL) => {
  expect(publicSetting({ HOST, PUBLIC_URL })).toBeNull();
});

it.each([
  ['0.0.0.0', '', 'HOST is "0.0.0.0"'],
  ['::', '', 'HOST is "::"'],
  ['192.168.1.10', 'http://localhost', 'HOST is "192.168.1.10"'],
  ['127.0.0.1', 'https://backup.example.com', 'PUBLIC_URL is "https://backup.example.com"'],
  ['127.0.0.1', 'http://localhost.example.com', 'PUBLIC_URL is "http://localhost.example.com"'],
])('HOST=%s and PUBLIC_URL=%s are reached by others', (HOST, PUBLIC_URL, setting) => {
  expect(publicSetting({ HOST, PUBLIC_URL })).toBe(setting);
});
