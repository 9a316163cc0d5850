import { Refusal } from '../foundation/errors.ts';

/** Maximum number of reports with unknown tokens per address and minute. */
const UNKNOWN_PER_MINUTE = 120;
const MINUTE_MS = 60_000;
/** Maximum number of addresses counted per minute. */
const ADDRESSES_MAX = 10_000;

/**
 * Counts reports with an unknown token by the sender's address. Reports with a known token are not limited by address, as one address
 * may be of a data centre whose jobs all end at the full hour.
 */
export class UnknownTokens {
  readonly #counts = new Map<string, number>();
  #sinceMs = performance.now();

  /** Throws 429 if an address has sent too many within a minute. */
  count(address: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#sinceMs >= MINUTE_MS || this.#counts.size >= ADDRESSES_MAX) {
      this.#counts.clear();
      this.#sinceMs = nowMs;
    }
    const count = (this.#counts.get(address) ?? 0) + 1;
    this.#counts.set(address, count);
    if (count > UNKNOWN_PER_MINUTE)
      throw new Refusal(429, 'TOO_MANY_REQUESTS', 'Too many requests. Wait a minute and try again.', {
        retryAfterSeconds: 60,
      });
  }
}
