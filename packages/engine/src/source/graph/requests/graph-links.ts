import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { EngineError } from '../../../model/engine-error.ts';

/** Networks without public addresses: this machine, private, link-local, shared, reserved (RFC 6890 and its updates). */
const OURS = new BlockList();
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '168.63.129.16/32', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...[
    '224.0.0.0/4',
    '240.0.0.0/4',
    '::/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '100::/64',
    '2001:db8::/32',
    '2002::/16',
  ],
  ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
]) {
  const [address = '', bits] = network.split('/');
  OURS.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

const isOurs = ({ address }: { address: string }) => OURS.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
const PRIVATE = 'which is of this machine or of a private network';

/** Gives the addresses of a name. */
export type ResolveName = (name: string) => Promise<LookupAddress[]>;

export const resolveName: ResolveName = (name) => lookup(name, { all: true });

/**
 * The lookup that connections are made with. A name that resolves to an address of this machine or of a private network is refused, unless
 * it is one of our own hosts. Asked once, and connected to what was looked at: a name that changes its answer (DNS rebinding) gains nothing.
 */
export function checkedLookup(ownHosts: ReadonlySet<string>, resolve: ResolveName): LookupFunction {
  return (name, { all }, callback) => {
    const answer = (found: LookupAddress[]) => {
      const [first] = found;
      if (first === undefined) callback(new Error(`${name} has no address`), '');
      else if (!ownHosts.has(name) && found.some(isOurs)) callback(refused(name, PRIVATE), '');
      else if (all) callback(null, found);
      else callback(null, first.address, first.family);
    };
    resolve(name).then(answer, (error: NodeJS.ErrnoException) => callback(error, ''));
  };
}

/**
 * Where links that Graph gave may lead. A page or delta is Graph's own; a download or an upload may be elsewhere, but not at what only this
 * machine can reach: who wrote the reply would otherwise read it through us.
 */
export class GraphLinks {
  private readonly base: URL;

  /** @param baseUrl with the version: `https://graph.microsoft.com/v1.0` */
  constructor(baseUrl: string) {
    this.base = new URL(baseUrl);
  }

  /** The part before a path, with the version. */
  versionUrl(version?: 'beta'): string {
    const url = this.base.href.replace(/\/$/, '');
    return version === undefined ? url : url.replace(/v1\.0$/, version);
  }

  /** Whether a path or link is one of Graph's own. */
  isOfGraph(path: string): boolean {
    if (path.startsWith('/')) return true;
    const { origin, pathname } = urlOf(path);
    return origin === this.base.origin && pathname.startsWith(`${this.base.pathname}/`);
  }

  /** @throws EngineError for a page, a delta or a call that is not Graph's own */
  requireOfGraph(path: string): void {
    if (!this.isOfGraph(path)) throw refused(path, 'which is not its own address');
  }

  /**
   * The addresses of its name are checked when the connection is opened (`checkedLookup`).
   * @throws EngineError for a link to the bytes of something that may not be followed
   */
  requireFollowable(link: string): void {
    if (this.isOfGraph(link)) return;
    const { protocol, hostname } = urlOf(link);
    if (protocol !== 'https:' && (protocol !== 'http:' || this.base.protocol !== 'http:'))
      throw refused(link, 'which is not https');
    // Where Graph itself was set to be, as in a test, its files may be too.
    if (hostname === this.base.hostname) return;
    // An address typed as digits is never looked up.
    const address = hostname.replace(/^\[|\]$/g, '');
    if (isIP(address) > 0 && isOurs({ address })) throw refused(link, PRIVATE);
  }
}

function urlOf(link: string): URL {
  try {
    return new URL(link);
  } catch {
    throw refused('a link', 'which is none');
  }
}

/** Without path and query, which may be permissions by themselves. */
function refused(link: string, why: string): EngineError {
  const origin = URL.canParse(link) ? new URL(link).origin : link;
  const message = `Microsoft 365 answered with a link to ${origin}, ${why}: it is not followed. Check which address of Graph is set, and who answers there.`;
  return new EngineError('source-refused', message);
}
