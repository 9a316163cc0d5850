const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const HYPHEN = 0x2d;

/**
 * Compares a line with a boundary, RFC 2046 5.1.1: two hyphens, the boundary, two more hyphens behind the last part, and then nothing but
 * the spaces and tabs that a mail server may have added. White space at the end of a boundary counts for nothing, as it never survives.
 * @param start where the hyphens are: a line may begin with the end of the one before
 * @returns `null` for a line that is no delimiter of this boundary
 */
export function delimiterOf(line: Buffer, start: number, boundary: Buffer): { isLast: boolean } | null {
  let length = boundary.length;
  while (length > 0 && isPadding(boundary[length - 1])) length -= 1;
  const end = start + 2 + length;
  if (end > line.length || line[start] !== HYPHEN || line[start + 1] !== HYPHEN) return null;
  if (line.compare(boundary, 0, length, start + 2, end) !== 0) return null;
  const isLast = line[end] === HYPHEN && line[end + 1] === HYPHEN;
  return isBlank(line, isLast ? end + 2 : end) ? { isLast } : null;
}

function isBlank(line: Buffer, from: number): boolean {
  for (let at = from; at < line.length; at += 1) {
    const byte = line[at];
    if (!isPadding(byte) && byte !== CR && byte !== LF) return false;
  }
  return true;
}

function isPadding(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB;
}
