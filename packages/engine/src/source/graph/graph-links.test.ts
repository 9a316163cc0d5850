import { describe, expect, it } from 'vitest';
import { GraphLinks } from './graph-links.ts';

const BASE = 'https://graph.microsoft.com/v1.0';
const PUBLIC = async () => [{ address: '52.96.0.1' }];
const links = (address = '52.96.0.1', base = BASE) => new GraphLinks(base, async () => [{ address }]);

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
  ])('are followed to no bytes that only this machine reaches, nor unencrypted: %s', async (link) => {
    await expect(links().requireFollowable(link)).rejects.toThrow(/it is not followed/);
  });

  it('are followed to no name that stands for a private address', async () => {
    const link = 'https://files.contoso.example/x?tempauth=secret';
    await expect(links('192.168.1.1').requireFollowable(link)).rejects.toThrow(/https:\/\/files\.contoso\.example, /);
    await expect(links('192.168.1.1').requireFollowable(link)).rejects.not.toThrow(/secret/);
    await expect(new GraphLinks(BASE, PUBLIC).requireFollowable(link)).resolves.toBeUndefined();
  });

  it('are followed to this machine where Graph itself was set to be', async () => {
    const local = links('127.0.0.1', 'http://127.0.0.1:3650/v1.0');
    await expect(local.requireFollowable('http://127.0.0.1:9/download')).resolves.toBeUndefined();
    await expect(local.requireFollowable('http://10.0.0.1/download')).rejects.toThrow(/private network/);
  });
});
