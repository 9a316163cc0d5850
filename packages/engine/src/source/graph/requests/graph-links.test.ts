import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { checkedLookup, GraphLinks } from './graph-links.ts';

const BASE = 'https://graph.microsoft.com/v1.0';
const links = (base = BASE) => new GraphLinks(base);

describe('Links in replies of Graph', () => {
  it.each([
    'http://169.254.169.254/latest/meta-data',
    'https://graph.microsoft.com.evil.example/v1.0/users',
    'https://graph.microsoft.com/beta/users',
    'https://graph.microsoft.com@evil.example/v1.0/users',
    'http://graph.microsoft.com/v1.0/users',
    'no link',
  ])('are no page where they lead elsewhere: %s', (link) => {
    expect(() => links().requireOfGraph(link)).toThrow(/it is not followed/);
  });

  it('are pages where they are below the address of Graph', () => {
    expect(() => links().requireOfGraph(`${BASE}/users?$skiptoken=1`)).not.toThrow();
    expect(() => links().requireOfGraph('/users')).not.toThrow();
  });

  it.each([
    'https://127.0.0.1/x',
    'https://10.1.2.3/x',
    'https://169.254.169.254/x',
    'https://2852039166/x',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://[fe80::1]/x',
    'http://files.contoso.example/x',
    'file:///etc/passwd',
  ])('are followed to no bytes that only this machine reaches, nor unencrypted: %s', (link) => {
    expect(() => links().requireFollowable(link)).toThrow(/it is not followed/);
  });

  it('are refused without naming the query, which may contain a permission', () => {
    const link = 'https://10.1.2.3/x?tempauth=secret';
    expect(() => links().requireFollowable(link)).toThrow(/https:\/\/10\.1\.2\.3, /);
    expect(() => links().requireFollowable(link)).not.toThrow(/secret/);
  });

  it('are followed to this machine where Graph itself was set to be', () => {
    const local = links('http://127.0.0.1:3650/v1.0');
    expect(() => local.requireFollowable('http://127.0.0.1:9/download')).not.toThrow();
    expect(() => local.requireFollowable('http://10.0.0.1/download')).toThrow(/private network/);
  });
});

describe('The lookup of a connection', () => {
  const PUBLIC = { address: '52.96.0.1', family: 4 };
  const OURS = { address: '192.168.1.1', family: 4 };
  const found = (given: LookupAddress[], all = true) => {
    const lookup = checkedLookup(new Set(['graph.contoso.example']), async () => given);
    return (name: string) =>
      new Promise((resolve, reject) =>
        lookup(name, { all }, (error, ...answer) => (error === null ? resolve(answer) : reject(error))),
      );
  };

  it('gives the addresses of a name: all of them, or the first', async () => {
    const other = { address: '2603:1026::1', family: 6 };
    expect(await found([PUBLIC, other])('files.contoso.example')).toEqual([[PUBLIC, other]]);
    expect(await found([PUBLIC, other], false)('files.contoso.example')).toEqual([PUBLIC.address, 4]);
  });

  it.each([
    ['one', [OURS]],
    ['one of several', [PUBLIC, OURS]],
  ])('refuses a name that resolves to a private address, be it %s', async (_, given) => {
    await expect(found(given)('files.contoso.example')).rejects.toThrow(
      /a link to files\.contoso\.example, .*private network/,
    );
  });

  it('takes any address for a host of our own', async () => {
    expect(await found([OURS])('graph.contoso.example')).toEqual([[OURS]]);
  });

  it('says that a name has no address', async () => {
    await expect(found([])('files.contoso.example')).rejects.toThrow('files.contoso.example has no address');
  });
});
