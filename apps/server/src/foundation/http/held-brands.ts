import { setTimeout } from 'node:timers/promises';

const HELD_MS = 5_000;
const HOSTS_MAX = 200;
/** Pages are asked for by everybody, under any host name: what they cost the database is bounded. */
const ASKED_AT_ONCE = 4;
/** A page without its brand is better than a page that waits for a database that is away. */
const WAIT_MS = 500;

/**
 * Brands by host name, each asked for once in a few seconds. `null` where there is none, where too many are asked for, and where it does not come in time.
 * @param ask throws what keeps the brand from being read
 */
export function heldBrands<Brand>(
  ask: (host: string) => Promise<Brand | null>,
): (host: string) => Promise<Brand | null> {
  const held = new Map<string, { untilMs: number; brand: Promise<Brand | null> }>();
  let asked = 0;
  const begin = (host: string) => {
    asked += 1;
    const brand = ask(host).finally(() => {
      asked -= 1;
    });
    held.delete(host);
    held.set(host, { untilMs: performance.now() + HELD_MS, brand });
    // The next page asks again.
    brand.catch(() => held.delete(host));
    const [oldest] = held.keys();
    if (held.size > HOSTS_MAX && oldest !== undefined) held.delete(oldest);
    return brand;
  };
  return async (host) => {
    const known = held.get(host);
    if (known !== undefined && known.untilMs > performance.now()) return inTime(known.brand);
    return asked < ASKED_AT_ONCE ? inTime(begin(host)) : null;
  };
}

async function inTime<T>(value: Promise<T>): Promise<T | null> {
  const waiting = new AbortController();
  try {
    return await Promise.race([value, setTimeout(WAIT_MS, null, { signal: waiting.signal, ref: false })]);
  } finally {
    waiting.abort();
  }
}
