import type { IncomingHttpHeaders } from 'node:http';

/** Some bytes of a file, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

const SINGLE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * The range that a request asks for (RFC 9110, chapter 14); `null`: the whole file. That is also the answer to what we do not
 * understand (another unit, several ranges), and to a continuation of a file that has changed since (`If-Range`).
 */
export function requestedRange(
  headers: IncomingHttpHeaders,
  { total, etag }: { total: number; etag: string },
): ByteRange | null | 'none of it' {
  const [, first, last] = SINGLE.exec(headers.range ?? '') ?? [];
  const condition = headers['if-range'];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (condition !== undefined && condition !== etag) return null;
  if (first === '') return Number(last) === 0 || total === 0 ? 'none of it' : lastBytes(Number(last), total);
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= total) return 'none of it';
  return { start, end: last === '' ? total - 1 : Math.min(Number(last), total - 1) };
}

function lastBytes(count: number, total: number): ByteRange {
  return { start: Math.max(0, total - count), end: total - 1 };
}
