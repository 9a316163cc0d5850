import { describe, expect, it } from 'vitest';
import { parseRetryAfterMs } from './retry-after.ts';

const now = new Date('2026-03-10T12:00:00Z');

describe('Retry-After', () => {
  it('reads seconds', () => {
    expect(parseRetryAfterMs('7', now)).toBe(7000);
    expect(parseRetryAfterMs(' 0 ', now)).toBe(0);
  });

  it('reads a date and never answers less than nothing', () => {
    expect(parseRetryAfterMs('Tue, 10 Mar 2026 12:00:30 GMT', now)).toBe(30_000);
    expect(parseRetryAfterMs('Tue, 10 Mar 2026 11:00:00 GMT', now)).toBe(0);
  });

  it.each([undefined, '', '-5', '1.5', 'soon', '99999999999999', '2026-03-10T12:00:30Z'])(
    'leaves %j alone',
    (header) => {
      expect(parseRetryAfterMs(header, now)).toBeNull();
    },
  );
});
