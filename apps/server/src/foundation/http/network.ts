import { isIP } from 'node:net';

const IPV4_IN_IPV6 = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/;

/**
 * The network that an address belongs to: what one connection to the internet usually has, a /24 of IPv4 or a /64 of IPv6. Whatever
 * is no address, as a proxy may name one, is a network of its own.
 */
export function networkOf(address: string): string {
  if (isIP(address) === 4) return networkOfIpv4(address);
  if (isIP(address) !== 6) return 'unknown';
  // The parser of addresses writes each in one form: without a zone, short, in lower case.
  const normal = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [, high, low] = IPV4_IN_IPV6.exec(normal) ?? [];
  if (high !== undefined && low !== undefined) return networkOfIpv4(ipv4Of(high, low));
  return `${firstGroups(normal).join(':')}::/64`;
}

function networkOfIpv4(address: string): string {
  return `${address.split('.').slice(0, 3).join('.')}.0/24`;
}

function ipv4Of(high: string, low: string): string {
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** The first four groups, those that `::` omits included. */
function firstGroups(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const gap = Array.from({ length: 8 - (before?.length ?? 0) - (after?.length ?? 0) }, () => '0');
  return [...(before ?? []), ...gap, ...(after ?? [])].slice(0, 4);
}
