import { randomBytes } from 'node:crypto';

const CR = 0x0d;
const LF = 0x0a;
/** Shorter bodies stay in place. */
const BODY_BYTES_MIN = 256;
const NUMBER_DIGITS = 8;
/** Random in each process: no sender can know it. */
const MARK = `body-${randomBytes(16).toString('hex')}-`;

/** A message in which a line replaces each body of some size. */
export interface Skeleton {
  bytes: Buffer;
  /** A piece of a body as it comes out of whatever took the skeleton apart, with its lines put back. */
  filled: (piece: Buffer) => Buffer[];
}

/**
 * The header lines of a message, all lines that may be boundaries, and a line for each body between them. Split into parts it gives the
 * same parts as the message, in the time of its headers: RFC 2046 5.1.1 knows a boundary by "--" at the beginning of its line,
 * and a header ends with the first empty line after one.
 */
export function skeletonOf(message: Buffer): Skeleton {
  const pieces: Buffer[] = [];
  const bodies: Buffer[] = [];
  let copied = 0;
  for (let at = 0; at < message.length; ) {
    const end = nextBoundary(message, at);
    const from = endOfHeader(message, at, end);
    const to = withoutLineEnd(message, from, end);
    if (to - from >= BODY_BYTES_MIN) {
      const number = String(bodies.length).padStart(NUMBER_DIGITS, '0');
      pieces.push(message.subarray(copied, from), Buffer.from(`${MARK}${number}`, 'latin1'));
      bodies.push(message.subarray(from, to));
      copied = to;
    }
    at = end;
  }
  pieces.push(message.subarray(copied));
  return { bytes: Buffer.concat(pieces), filled: (piece) => filled(piece, bodies) };
}

/** Where the next line after the one at `at` begins that may be a boundary; a lone CR may come before it. */
function nextBoundary(message: Buffer, at: number): number {
  for (
    let found = message.indexOf('--', at + 1, 'latin1');
    found >= 0;
    found = message.indexOf('--', found + 1, 'latin1')
  ) {
    const start = message[found - 1] === CR ? found - 1 : found;
    if (start > at && message[start - 1] === LF) return start;
  }
  return message.length;
}

/** Where the first empty line after the line at `at` ends; `end` without one before that. */
function endOfHeader(message: Buffer, at: number, end: number): number {
  for (let line = at; line < end; ) {
    const lineEnd = message.indexOf(LF, line);
    if (lineEnd < 0 || lineEnd >= end) return end;
    const length = lineEnd - line;
    if (length === 0 || (length === 1 && message[line] === CR)) return lineEnd + 1;
    line = lineEnd + 1;
  }
  return end;
}

/** The line end before a boundary is part of that, and stays with it. */
function withoutLineEnd(message: Buffer, from: number, end: number): number {
  let to = end;
  if (to > from && message[to - 1] === LF) to -= 1;
  if (to > from && message[to - 1] === CR) to -= 1;
  return to;
}

function filled(piece: Buffer, bodies: readonly Buffer[]): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  for (let mark = piece.indexOf(MARK, 0, 'latin1'); mark >= 0; mark = piece.indexOf(MARK, at, 'latin1')) {
    const number = mark + MARK.length;
    const body = bodies[Number(piece.toString('latin1', number, number + NUMBER_DIGITS))];
    if (body === undefined) throw new Error('A line of a message refers to a body that does not exist.');
    found.push(piece.subarray(at, mark), body);
    at = number + NUMBER_DIGITS;
  }
  found.push(piece.subarray(at));
  return found.filter((part) => part.length > 0);
}
