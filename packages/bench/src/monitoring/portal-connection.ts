import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A request as it goes over the wire, with its head. */
export type WireRequest = Buffer;

/** Addresses from which calls come: one may ask only so often in a minute. */
const ADDRESSES = 250;
let asked = 0;

/** The head of a request that came through a proxy, from one address after the other. */
function headOf(method: 'GET' | 'POST', address: string): string {
  asked += 1;
  return `${method} ${address} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 100.65.0.${asked % ADDRESSES}\r\n`;
}

/** A call that reads, with the session of a user. */
export function wireGet(address: string, token: string): WireRequest {
  const session = token === '' ? '' : `authorization: Bearer ${token}\r\n`;
  return Buffer.from(`${headOf('GET', address)}${session}\r\n`);
}

export function wireReport(token: string, query: string, body: string): WireRequest {
  const length = Buffer.byteLength(body);
  const head = headOf('POST', `/api/monitoring/intake/${token}${query}`);
  return Buffer.from(`${head}content-length: ${length}\r\n\r\n${body}`);
}

/**
 * One open connection that sends one request after another. It reads no more of an answer than its status and its length: on a small
 * machine a complete client would use as much of the processor as what is measured, and add a millisecond of its own to each call.
 */
export class PortalConnection {
  readonly #socket: Socket;
  #received = '';
  #answered: { resolve(status: number): void; reject(error: Error): void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket.setNoDelay().setEncoding('latin1');
    socket.on('data', (text: string) => this.#read(text));
    socket.on('error', (error) => this.#answered?.reject(error));
    socket.on('close', () => this.#answered?.reject(new Error('The connection ended before the answer.')));
  }

  static async open(port: number): Promise<PortalConnection> {
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    return new PortalConnection(socket);
  }

  /** The status of the answer. */
  send(request: WireRequest): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#answered = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#answered = null;
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#received.slice(0, headEnd))?.[1] ?? 0);
    if (this.#received.length < headEnd + 4 + length) return;
    const status = Number(this.#received.slice(9, 12));
    this.#received = '';
    const answered = this.#answered;
    this.#answered = null;
    answered?.resolve(status);
  }
}
