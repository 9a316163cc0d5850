import { Splitter } from '@zone-eu/mailsplit';
import { delimiterOf } from './delimiter.ts';

/** What a message may ask of its reader. */
export const LIMITS = { parts: 1_000, headerBytes: 8 * 1024 * 1024 } as const;

/** How the library names the two kinds of delimiter. */
const NEXT_PART = 1;
const LAST = 2;

/**
 * The library's splitter compares a delimiter with its whole line. This one accepts the white space that RFC 2046 5.1.1 calls transport
 * padding. It replaces the only method of the library that compares a line with a boundary; the tests of both ways of reading check that.
 */
class PaddingSplitter extends Splitter {
  compareBoundary(line: Buffer, start: number, boundary: Buffer): typeof NEXT_PART | typeof LAST | false {
    const delimiter = delimiterOf(line, start, boundary);
    if (delimiter === null) return false;
    return delimiter.isLast ? LAST : NEXT_PART;
  }
}

/** Splits a message into its parts; attached messages stay whole. Fails with the code EMAXLEN where `LIMITS` are exceeded. */
export function newSplitter(): Splitter {
  return new PaddingSplitter({ ignoreEmbedded: true, maxChildNodes: LIMITS.parts, maxHeadSize: LIMITS.headerBytes });
}
