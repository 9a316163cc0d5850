import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { makeCertificate } from './vendor.ts';

export interface SmtpServer {
  /** `smtp://127.0.0.1:PORT` */
  url: string;
  /** Its certificate, which no authority knows. */
  cert: string;
  received: { to: string; data: string }[];
  /** What `RCPT TO` is answered; a mail is accepted while it is 250. */
  recipientReply: string;
  /** Names and passwords that were sent, decoded, and whether that was encrypted. */
  signIns: { text: string; isEncrypted: boolean }[];
  stop(): Promise<void>;
}

/** A mail server on this machine, as much of RFC 5321, 3207 and 4954 as a client needs: it accepts the user `keeper` with the password `secret`. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const tls = await makeCertificate();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.write('220 mail.test ready\r\n');
    converse(socket, false);
  });
  const state: Omit<SmtpServer, 'stop' | 'url' | 'cert'> = { received: [], signIns: [], recipientReply: '250 ok' };

  function converse(socket: Socket, isEncrypted: boolean): void {
    let [buffer, to, isData] = ['', '', false];
    const answer = (line: string): string | null => {
      const verb = line.split(' ')[0]?.toUpperCase();
      if (verb === 'EHLO')
        return `250-mail.test\r\n250-AUTH PLAIN\r\n${isEncrypted ? '' : '250-STARTTLS\r\n'}250 8BITMIME`;
      if (verb === 'STARTTLS') return null;
      if (verb === 'AUTH') return signIn(line.split(' ')[2] ?? '');
      if (verb === 'RCPT') {
        to = /<(.*)>/.exec(line)?.[1] ?? '';
        return state.recipientReply;
      }
      if (verb === 'DATA') {
        isData = true;
        return '354 go on';
      }
      return verb === 'QUIT' ? '221 bye' : '250 ok';
    };
    const signIn = (token: string) => {
      const text = Buffer.from(token, 'base64').toString().replaceAll('\0', ' ').trim();
      state.signIns.push({ text, isEncrypted });
      return text === 'keeper secret' ? '235 ok' : '535 5.7.8 no such user';
    };
    const onData = (chunk: Buffer) => {
      buffer += chunk.toString();
      for (;;) {
        const end = buffer.indexOf(isData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const part = buffer.slice(0, end);
        buffer = buffer.slice(end + (isData ? 5 : 2));
        if (isData) {
          state.received.push({ to, data: part });
          isData = false;
          socket.write('250 accepted\r\n');
          continue;
        }
        const reply = answer(part);
        if (reply !== null) socket.write(`${reply}\r\n`);
        else {
          socket.off('data', onData);
          socket.write('220 go on\r\n');
          const secured = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(tls) });
          secured.on('error', () => undefined);
          return converse(secured, true);
        }
      }
    };
    socket.on('data', onData);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${port}`,
    cert: tls.cert,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  });
}
