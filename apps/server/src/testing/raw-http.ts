import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A reply as its bytes came: no client has looked at it, followed it or repaired it. */
export interface RawReply {
  status: number;
  /** Names in small letters. */
  headers: ReadonlyMap<string, string>;
  body: string;
}

/**
 * Sends bytes that no client would send, and reads one reply. One connection is used again until the server closes it. Fails where
 * nothing is answered.
 */
export class RawConnection {
  readonly #port: number;
  #socket: Socket | null = null;
  #unread: Buffer = Buffer.alloc(0);
  #changed: () => void = () => undefined;

  constructor(url: string) {
    this.#port = Number(new URL(url).port);
  }

  async send(request: string | Buffer): Promise<RawReply> {
    const bytes = Buffer.from(request);
    const socket = await this.#open();
    socket.write(bytes);
    // The reply to HEAD has no body, whatever its length says.
    const isHead = bytes.toString('latin1', 0, 5) === 'HEAD ';
    for (;;) {
      const read = readReply(this.#unread, { isWhole: socket.readableEnded || socket.destroyed, isHead });
      if (read !== null) {
        this.#unread = this.#unread.subarray(read.end);
        if (read.reply.headers.get('connection') === 'close') this.close();
        return read.reply;
      }
      if (socket.readableEnded || socket.destroyed)
        throw new Error(`No whole reply came, only ${JSON.stringify(this.#unread.toString('latin1').slice(0, 200))}.`);
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
    this.#unread = Buffer.alloc(0);
  }

  async #open(): Promise<Socket> {
    if (this.#socket !== null && !this.#socket.destroyed && !this.#socket.readableEnded) return this.#socket;
    this.close();
    const socket = connect(this.#port, '127.0.0.1');
    // A connection that the server ends while bytes are on their way to it is no failure of a test.
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      this.#unread = Buffer.concat([this.#unread, part]);
      this.#changed();
    });
    socket.on('end', () => this.#changed());
    socket.on('close', () => this.#changed());
    this.#socket = socket;
    await once(socket, 'connect');
    return socket;
  }
}

interface Reading {
  /** Nothing more comes. */
  isWhole: boolean;
  isHead: boolean;
}

function readReply(bytes: Buffer, reading: Reading): { reply: RawReply; end: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const [first = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(first.split(' ')[1]);
  const rest = headEnd + 4;
  // "100 Continue" is no reply yet.
  if (status === 100) {
    const next = readReply(bytes.subarray(rest), reading);
    return next === null ? null : { reply: next.reply, end: rest + next.end };
  }
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:\s*/, '')]),
  );
  const end = bodyEnd(bytes, rest, { status, headers, ...reading });
  if (end === null) return null;
  return { reply: { status, headers, body: bytes.subarray(rest, end).toString() }, end };
}

function bodyEnd(
  bytes: Buffer,
  start: number,
  { status, headers, isWhole, isHead }: Reading & { status: number; headers: ReadonlyMap<string, string> },
): number | null {
  if (isHead || status === 204 || status === 304) return start;
  const length = headers.get('content-length');
  if (length !== undefined) return bytes.length >= start + Number(length) ? start + Number(length) : null;
  if (headers.get('transfer-encoding') === 'chunked') {
    return chunksEnd(bytes, start);
  }
  return isWhole ? bytes.length : null;
}

/** Goes from chunk to chunk: what ends the last one can also be the end of a file's last line. */
function chunksEnd(bytes: Buffer, start: number): number | null {
  const lineEnd = bytes.indexOf('\r\n', start);
  if (lineEnd === -1) return null;
  const size = Number.parseInt(bytes.toString('latin1', start, lineEnd), 16);
  const end = lineEnd + 2 + size + 2;
  if (bytes.length < end) return null;
  return size === 0 ? end : chunksEnd(bytes, end);
}
