import type { LookupAddress } from 'node:dns';
import { promises as dns } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { BlockList, isIP } from 'node:net';

/**
 * Networks without public addresses, after the IANA special-purpose registries (RFC 6890 and its updates):
 * this machine, private, link-local (cloud metadata lives at 169.254.169.254 and fd00:ec2::254), carrier-grade NAT,
 * documentation, benchmarking, multicast, reserved, and the IPv6 forms that carry an IPv4 address inside.
 * 168.63.129.16 is public in form, but on Azure it is the machine's own platform service.
 */
const REFUSED_NETWORKS: readonly string[] = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '168.63.129.16/32', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...[
    '::/96',
    '::ffff:0:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '100::/64',
    '100:0:0:1::/64',
    '2001::/23',
    '2001:db8::/32',
    '2002::/16',
  ],
  ...['3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

const refused = new BlockList();
for (const network of REFUSED_NETWORKS) {
  const [address = '', prefixBits] = network.split('/');
  refused.addSubnet(address, Number(prefixBits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Whether an IP address is of this machine, of a private network or otherwise not public. Not an IP address: refused. */
export function isRefusedAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  return refused.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a host is such an address in digits: those are never looked up, so that no lookup refuses them. */
export const isRefusedInDigits = (host: string): boolean => isIP(host) !== 0 && isRefusedAddress(host);

/** Says why an address is refused, after its name. @param what is called there */
export const privateAddressText = (what: 'source' | 'bucket'): string =>
  `is an address of this machine or of a private network, and this portal does not call those. If the ${what} is in your own network, ask the operator of this portal to set ALLOW_PRIVATE_ADDRESSES=true`;

/** Looks a name up. The real one is `resolveName`; a test gives its own. */
export type ResolveName = (name: string) => Promise<readonly LookupAddress[]>;

export const resolveName: ResolveName = (name) => dns.lookup(name, { all: true });

/**
 * The lookup a socket makes its connection with. The name is resolved once, refused addresses are removed, and the
 * socket connects to what remains: a name that answers differently the next time (DNS rebinding) changes nothing.
 * @param refusalOf the error for a name of which nothing remains
 */
export function filteredLookup(
  resolve: ResolveName,
  isUsable: (address: string) => boolean,
  refusalOf: (name: string) => Error,
): LookupFunction {
  return (name, options, callback) => {
    const answer = (found: readonly LookupAddress[]) => {
      const usable = found.filter(({ address }) => isUsable(address));
      const [first] = usable;
      if (!first) callback(refusalOf(name), '');
      else if (options.all) callback(null, usable);
      else callback(null, first.address, first.family);
    };
    resolve(name).then(answer, (error: NodeJS.ErrnoException) => callback(error, ''));
  };
}
