import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether an IP address is this machine's own for itself, in any of its forms. */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a host, as an address or a setting names it, is this machine and no other. */
export function isLocalHost(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name.replace(/^\[(.*)\]$/, '$1'));
}

/** The setting by which others than the people at this machine reach the portal, with its value; `null` when none does. */
export function publicSetting({ HOST, PUBLIC_URL }: { HOST: string; PUBLIC_URL: string }): string | null {
  if (!isLocalHost(HOST)) return `HOST is "${HOST}"`;
  if (PUBLIC_URL !== '' && !isLocalHost(new URL(PUBLIC_URL).hostname)) return `PUBLIC_URL is "${PUBLIC_URL}"`;
  return null;
}
