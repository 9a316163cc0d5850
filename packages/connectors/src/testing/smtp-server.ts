import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { makeCertificate } from './vendor.ts';

export interface SmtpServer {
  /** `smtp://127.0.0.1:PORT`, or `smtps:` */
  url: string;
  /** Its certificate, which no authority knows. */
  cert: string;
  received: { to: string; data: string; isEncrypted: boolean }[];
  /** What `RCPT TO` is answered; a mail is accepted while it is 250. */
  recipientReply: string;
  /** Whether it offers STARTTLS. */
  offersTls: boolean;
  /** Names and passwords that were sent, decoded, and whether that was encrypted. */
  signIns: { text: string; isEncrypted: boolean }[];
  stop(): Promise<void>;
}

type State = Pick<SmtpServer, 'received' | 'recipientReply' | 'offersTls' | 'signIns'>;
type Certificate = Awaited<ReturnType<typeof makeCertificate>>;

/**
 * A mail server on this machine, as much of RFC 5321, 3207 and 4954 as a client needs: it accepts the user `keeper` with the password `secret`.
 * @param isSecure encrypted from the first byte (RFC 8314)
 */
export async function startSmtpServer({ isSecure = false } = {}): Promise<SmtpServer> {
  const certificate = await makeCertificate();
  const sockets = new Set<Socket>();
  const state: State = { received: [], signIns: [], recipientReply: '250 ok', offersTls: true };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (isSecure) greet(encrypted(socket, certificate), true);
    else greet(socket, false);
  });
  const greet = (socket: Socket, isEncrypted: boolean) => {
    socket.write('220 mail.test ready\r\n');
    new Conversation(state, socket, isEncrypted, certificate).listen();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `${isSecure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    cert: certificate.cert,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  });
}

function encrypted(socket: Socket, certificate: Certificate): TLSSocket {
  const secured = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(certificate) });
  return secured.on('error', () => undefined);
}

class Conversation {
  private readonly state: State;
  private readonly socket: Socket;
  private readonly isEncrypted: boolean;
  private readonly certificate: Certificate;
  private buffer = '';
  private to = '';
  private isData = false;

  constructor(state: State, socket: Socket, isEncrypted: boolean, certificate: Certificate) {
    this.state = state;
    this.socket = socket;
    this.isEncrypted = isEncrypted;
    this.certificate = certificate;
  }

  listen(): void {
    this.socket.on('data', this.hear);
  }

  private readonly hear = (chunk: Buffer): void => {
    this.buffer += chunk.toString();
    for (let part = this.next(); part !== null; part = this.next()) {
      if (this.isData) this.receive(part);
      else if (part.toUpperCase() === 'STARTTLS' && this.state.offersTls) {
        this.startTls();
        return;
      } else this.socket.write(`${this.answer(part)}\r\n`);
    }
  };

  /** A line, or the whole of a mail (RFC 5321, 4.1.1.4). */
  private next(): string | null {
    const mark = this.isData ? '\r\n.\r\n' : '\r\n';
    const end = this.buffer.indexOf(mark);
    if (end < 0) return null;
    const part = this.buffer.slice(0, end);
    this.buffer = this.buffer.slice(end + mark.length);
    return part;
  }

  private receive(data: string): void {
    this.state.received.push({ to: this.to, data, isEncrypted: this.isEncrypted });
    this.isData = false;
    this.socket.write('250 accepted\r\n');
  }

  /** What the client said before is forgotten (RFC 3207, 4.2). */
  private startTls(): void {
    this.socket.off('data', this.hear);
    this.socket.write('220 go on\r\n');
    new Conversation(this.state, encrypted(this.socket, this.certificate), true, this.certificate).listen();
  }

  private answer(line: string): string {
    const [verb = '', , token = ''] = line.split(' ');
    switch (verb.toUpperCase()) {
      case 'EHLO':
        return `250-mail.test\r\n250-AUTH PLAIN\r\n${this.isEncrypted || !this.state.offersTls ? '' : '250-STARTTLS\r\n'}250 8BITMIME`;
      case 'STARTTLS':
        return '502 not implemented';
      case 'AUTH':
        return this.signIn(token);
      case 'RCPT':
        this.to = /<(.*)>/.exec(line)?.[1] ?? '';
        return this.state.recipientReply;
      case 'DATA':
        this.isData = true;
        return '354 go on';
      default:
        return verb.toUpperCase() === 'QUIT' ? '221 bye' : '250 ok';
    }
  }

  private signIn(token: string): string {
    const text = Buffer.from(token, 'base64').toString().replaceAll('\0', ' ').trim();
    this.state.signIns.push({ text, isEncrypted: this.isEncrypted });
    return text === 'keeper secret' ? '235 ok' : '535 5.7.8 no such user';
  }
}
