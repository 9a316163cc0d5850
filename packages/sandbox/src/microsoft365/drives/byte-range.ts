import type { GraphReply } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import type { Content } from './content/content.ts';

/**
 * Answers a download, whole or the one range that was asked for (RFC 9110, section 14). Several ranges in one request
 * are answered with the whole, as the standard allows.
 * @throws GraphError 416 for a range that begins beyond the end
 */
export function contentReply(content: Content, range: string | undefined, headers: Record<string, string>): GraphReply {
  const { size } = content;
  const asked = range === undefined ? undefined : readRange(range, size);
  const shared = { 'content-type': 'application/octet-stream', ...headers, 'accept-ranges': 'bytes' };
  if (!asked) {
    return { status: 200, headers: { ...shared, 'content-length': String(size) }, body: content.open(0, size) };
  }
  const { start, end } = asked;
  if (start >= size || start >= end) {
    const reach = { 'content-range': `bytes */${size}` };
    throw new GraphError(416, 'invalidRange', 'The requested range is not satisfiable.', reach);
  }
  return {
    status: 206,
    headers: {
      ...shared,
      'content-length': String(end - start),
      'content-range': `bytes ${start}-${end - 1}/${size}`,
    },
    body: content.open(start, end),
  };
}

function readRange(text: string, size: number): { start: number; end: number } | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(text.trim()) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return { start: Math.max(0, size - Number(last)), end: last === '0' ? 0 : size };
  return { start: Number(first), end: last === '' ? size : Math.min(size, Number(last) + 1) };
}
