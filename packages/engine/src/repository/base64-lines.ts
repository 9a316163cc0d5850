/**
 * Base64 in lines, as mail carries attachments: decoded where encoding it again gives the same bytes (format, 7). Nothing is
 * assumed about MIME: any run of equal lines will do, and what does not come back exactly stays text.
 */

export interface LineShape {
  /** Characters a line. */
  base64: number;
  end: 'crlf' | 'lf';
}

export type Piece = { bytes: Buffer; shape: LineShape | null };

const LINE_MIN = 40;
const LINE_MAX = 1_000;
/** Shorter runs are not worth a chunk of their own. */
const RUN_LINES_MIN = 64;
const CR = 13;
const LF = 10;

/** The text of decoded bytes that begin at a line's begin; the last line has no end. */
export function encodeLines(decoded: Buffer, { base64, end }: LineShape): Buffer {
  const text = Buffer.from(decoded.toString('base64'), 'latin1');
  const endBytes = end === 'crlf' ? 2 : 1;
  const lines = Math.ceil(text.length / base64);
  const out = Buffer.allocUnsafe(text.length + Math.max(0, lines - 1) * endBytes);
  let at = 0;
  for (let line = 0; line < lines; line += 1) {
    if (line > 0) at = writeEnd(out, at, end);
    at += text.copy(out, at, line * base64, Math.min(text.length, (line + 1) * base64));
  }
  return out;
}

export function writeEnd(out: Buffer, at: number, end: LineShape['end']): number {
  if (end === 'lf') {
    out[at] = LF;
    return at + 1;
  }
  out[at] = CR;
  out[at + 1] = LF;
  return at + 2;
}

/**
 * Takes a whole text apart into what is stored as it is and what is stored decoded. Joined in order, and those with a shape encoded
 * again, the pieces give the text.
 */
export function takeApart(text: Buffer): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  let at = 0;
  while (at < text.length) {
    const { run, next } = runAt(text, at);
    if (run !== null) {
      if (at > done) pieces.push({ bytes: text.subarray(done, at), shape: null });
      pieces.push(run);
      done = next;
    }
    at = next;
  }
  if (done < text.length) pieces.push({ bytes: text.subarray(done), shape: null });
  return pieces;
}

/** Where the line ends that begins here, behind its LF. */
function lineEnd(text: Buffer, at: number): number {
  const end = text.indexOf(LF, at);
  return end === -1 ? text.length : end + 1;
}

/** The run that begins here, if there is one, and where to look on: behind all that was looked at, so no byte is twice. */
function runAt(text: Buffer, at: number): { run: Piece | null; next: number } {
  const next = lineEnd(text, at);
  const shape = shapeOf(text, at, next);
  if (shape === null) return { run: null, next };
  const lines = fullLines(text, at, shape);
  if (lines < RUN_LINES_MIN) {
    return { run: null, next: lines < 2 ? next : lineEnd(text, at + (lines - 1) * strideOf(shape)) };
  }
  const fullEnd = at + lines * strideOf(shape) - strideOf(shape) + shape.base64;
  for (const end of [lastLineEnd(text, fullEnd, shape), fullEnd]) {
    const decoded = decode(text.subarray(at, end), lines, shape);
    if (decoded !== null) return { run: { bytes: decoded, shape }, next: end };
  }
  return { run: null, next: lineEnd(text, fullEnd) };
}

/**
 * The bytes that these lines encode; `null` where encoding them would not give the same lines. Whole lines of digits have one meaning
 * alone, so that only what follows them can be written otherwise.
 */
function decode(text: Buffer, fullLines: number, shape: LineShape): Buffer | null {
  const decoded = Buffer.from(text.toString('latin1'), 'base64');
  const last = text.toString('latin1', fullLines * strideOf(shape));
  return decoded.toString('base64', fullLines * (shape.base64 / 4) * 3) === last ? decoded : null;
}

function strideOf({ base64, end }: LineShape): number {
  return base64 + (end === 'crlf' ? 2 : 1);
}

/** The shape of this line, its end included, if it can be one of base64. */
function shapeOf(text: Buffer, start: number, end: number): LineShape | null {
  if (text[end - 1] !== LF) return null;
  const isCrlf = text[end - 2] === CR;
  const base64 = end - start - (isCrlf ? 2 : 1);
  if (base64 % 4 !== 0 || base64 < LINE_MIN || base64 > LINE_MAX) return null;
  return { base64, end: isCrlf ? 'crlf' : 'lf' };
}

/** How many whole lines of base64 follow one another; the last of them need not have its end. */
function fullLines(text: Buffer, at: number, shape: LineShape): number {
  const stride = strideOf(shape);
  let lines = digitLines(text, at, shape);
  for (let line = at + lines * stride; line + shape.base64 <= text.length; line += stride) {
    const end = line + shape.base64;
    if (digitsIn(text, line, end) < shape.base64) break;
    lines += 1;
    if (!isEndedAt(text, end, shape)) break;
  }
  return lines;
}

/** Lines that are decoded at once to see whether they are of digits alone. */
const LINES_AT_ONCE = 128;
const decodedLines = Buffer.allocUnsafe(LINES_AT_ONCE * LINE_MAX);

/**
 * How many lines there are for certain, without a look at each digit: decoding is many times as fast, and passes over what is no digit, so
 * that it gives less where one is not. What it may miss are the last lines, fewer than are looked at together.
 */
function digitLines(text: Buffer, at: number, shape: LineShape): number {
  const stride = strideOf(shape);
  const expectedBytes = (LINES_AT_ONCE * shape.base64 * 3) / 4;
  let lines = 0;
  for (let start = at; areEnded(text, start, shape); start += LINES_AT_ONCE * stride) {
    const some = text.toString('latin1', start, start + LINES_AT_ONCE * stride);
    // The digits of the other alphabet are decoded too.
    if (some.includes('-') || some.includes('_') || decodedLines.write(some, 'base64') !== expectedBytes) break;
    lines += LINES_AT_ONCE;
  }
  return lines;
}

/** Whether each of so many lines ends where it has to. */
function areEnded(text: Buffer, start: number, shape: LineShape): boolean {
  const stride = strideOf(shape);
  for (let line = 0; line < LINES_AT_ONCE; line += 1)
    if (!isEndedAt(text, start + line * stride + shape.base64, shape)) return false;
  return true;
}

function isEndedAt(text: Buffer, at: number, { end }: LineShape): boolean {
  return end === 'crlf' ? text[at] === CR && text[at + 1] === LF : text[at] === LF;
}

const DIGITS = new Uint8Array(256);
for (const digit of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')) DIGITS[digit] = 1;
const PADDING = 61;

/** How many digits of base64 there are from `start` on, up to `end`. */
function digitsIn(text: Buffer, start: number, end: number): number {
  let at = start;
  // Four at a time: lines of attachments are most of all mail.
  while (at + 4 <= end && areDigits(text, at)) at += 4;
  while (at < end && DIGITS[text[at] ?? 0] === 1) at += 1;
  return at - start;
}

function areDigits(text: Buffer, at: number): boolean {
  const both = (DIGITS[text[at] ?? 0] ?? 0) & (DIGITS[text[at + 1] ?? 0] ?? 0);
  return (both & (DIGITS[text[at + 2] ?? 0] ?? 0) & (DIGITS[text[at + 3] ?? 0] ?? 0)) === 1;
}

/** Where a last line ends that is shorter than the full ones or padded; the end of these where there is none. */
function lastLineEnd(text: Buffer, fullEnd: number, shape: LineShape): number {
  if (!isEndedAt(text, fullEnd, shape)) return fullEnd;
  const start = fullEnd + strideOf(shape) - shape.base64;
  let end = start + digitsIn(text, start, Math.min(text.length, start + shape.base64));
  while (text[end] === PADDING && end - start < shape.base64 && end % 4 !== start % 4) end += 1;
  return end > start && (end - start) % 4 === 0 ? end : fullEnd;
}
