/**
 * How long a vendor asks to be left alone (RFC 9110, 10.2.3): whole seconds or an HTTP date. In milliseconds from `now`,
 * never negative; `null` when the header is missing or is neither.
 */
export function parseRetryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // An HTTP date begins with the day's name; anything else Date.parse would accept is not one.
  const at = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
