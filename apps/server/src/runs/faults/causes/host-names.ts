/** What is written where a host is looked for, and is none. */
const UNITS =
  '%|[kmgtp]?i?b|bytes?|ms|µs|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|x|st|nd|rd|th|am|pm';
const NOT_A_HOST = [
  // A duration, size or count: 30s, 1h30m, 100MB.
  new RegExp(String.raw`^(?:\p{Nd}+(?:[.,]\p{Nd}+)?(?:${UNITS}))+$`, 'iu'),
  // A number, time or date: 1722, 10:30:46, 2026-11-28, 3/5, 1.204,5.
  /^(?!::)[\p{Nd}:,/-]+$/u,
  /^\p{Nd}+(?:[.,]\p{Nd}+){1,2}$/u,
  // A hexadecimal number, an error code.
  /^0x/i,
  /^(?:AADSTS|ORA-|RMAN-|TNS-|HTTP\/)\p{Nd}+/u,
  // A path of a local file or socket.
  /^(?:\/|[a-z]:[\\/])/i,
];

/** It has a digit, a dot or a backslash, or is in capitals with hyphens: `off-site` is no host. */
export function isHostLike(name: string): boolean {
  if (!/^(?:\\\\)?[\p{L}\p{Nd}[]|^::/u.test(name) || isNoHost(name)) return false;
  return /[\p{Nd}.\\]/u.test(name) || /^\p{Lu}+(?:-\p{Lu}+)+$/u.test(name);
}

/** Whether a name cannot be one of a host, also where it is in quotes. */
export function isNoHost(name: string): boolean {
  return NOT_A_HOST.some((pattern) => pattern.test(name));
}

/** A host, and the port of a service on it. */
export interface Address {
  host: string;
  port: string | null;
}

const ADDRESS = /^(?:\[([^\]]+)\]|(::1|[^:]+))(?::(\p{Nd}{1,5}))?$/u;

/** Reads `host`, `host:5432` or `[::1]:5432`. */
export function addressIn(text: string): Address {
  const trimmed = text.replace(/[.:-]+$/, '');
  const [, bracketed, plain, port = null] = ADDRESS.exec(trimmed) ?? [];
  return { host: bracketed ?? plain ?? trimmed, port };
}

const IPV6 = /\[[\da-f:.]{0,40}::[\da-f:.]{0,40}\](?::\d{1,5})?|(?<![\da-f:])::1(?::\d{1,5})?(?![\da-f])/i;

/** Returns the address of IPv6 that is, with its port, in a word: `[::1]:5432`, `::1`. */
export function ipv6AddressIn(word: string): string | null {
  return IPV6.exec(word)?.[0] ?? null;
}

/** Whether it is the computer itself that says so. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|(?:::ffff:)?127(?:\.\p{Nd}{1,3}){3}|::1)$/iu.test(host);
}
