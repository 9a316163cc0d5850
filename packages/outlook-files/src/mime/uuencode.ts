const LF = 0x0a;
const SPACE = 0x20;
/** Longer lines are not of this encoding; they go on in pieces, so that none has to be in memory. */
const LINE_BYTES_MAX = 65_536;

/** Names of the encoding in Content-Transfer-Encoding; it is in no RFC, and its senders never agreed on one. */
const NAMES = new Set(['uuencode', 'x-uuencode', 'uue', 'x-uue']);

export function isUuencode(encoding: string | false): boolean {
  return encoding !== false && NAMES.has(encoding);
}

/**
 * Decodes uuencode (POSIX `uuencode`): a line `begin MODE NAME`, lines that begin with their number of bytes, and `end`. Content whose
 * first line is no `begin` is not in this encoding, whatever its header says, and comes as it is.
 */
export async function* decodeUuencode(content: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let state: 'before' | 'inside' | 'after' | 'plain' = 'before';
  for await (const line of linesOf(content)) {
    if (state === 'plain') yield line;
    else if (state === 'before' && isBegin(line)) state = 'inside';
    else if (state === 'before' && !isEmpty(line)) {
      state = 'plain';
      yield line;
    } else if (state === 'inside') {
      const bytes = decodedLine(line);
      if (bytes === null) state = 'after';
      else if (bytes.length > 0) yield bytes;
    }
  }
}

const isBegin = (line: Buffer) => /^begin [0-7]+ /.test(line.toString('latin1', 0, 40));
const isEmpty = (line: Buffer) => line.toString('latin1').trim() === '';

/** The bytes of a line; `null` for the end: `end`, or the line of no bytes before it. */
function decodedLine(line: Buffer): Buffer | null {
  const text = line.toString('latin1').replace(/[\r\n]+$/, '');
  if (text === '') return Buffer.alloc(0); // a line end that was doubled on the way
  if (text === 'end') return null;
  const count = sextet(text.charCodeAt(0));
  if (count === 0) return null;
  const bytes = Buffer.alloc(Math.ceil(count / 3) * 3);
  for (let at = 0; at < bytes.length; at += 3) bytes.writeUIntBE(threeBytes(text, 1 + (at / 3) * 4), at, 3);
  return bytes.subarray(0, count);
}

function threeBytes(text: string, start: number): number {
  let bits = 0;
  for (let at = start; at < start + 4; at += 1) bits = (bits << 6) | sextet(text.charCodeAt(at));
  return bits;
}

/** Six bits of a character. Behind the end of a line they are 0: the spaces that encode it are often cut off on the way. */
const sextet = (character: number) => (character - SPACE) & 0x3f;

async function* linesOf(content: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let length = 0;
  for await (const piece of content) {
    let start = 0;
    for (let end = piece.indexOf(LF); end >= 0; end = piece.indexOf(LF, start)) {
      yield Buffer.concat([...pending, piece.subarray(start, end + 1)]);
      pending = [];
      start = end + 1;
    }
    if (start < piece.length) pending.push(piece.subarray(start));
    length = start === 0 ? length + piece.length : piece.length - start;
    if (length > LINE_BYTES_MAX) yield Buffer.concat(pending.splice(0));
  }
  if (pending.length > 0) yield Buffer.concat(pending);
}
