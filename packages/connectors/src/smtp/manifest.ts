import { once } from 'node:events';
import { isIP, Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import { isRefusedAddress, resolveName } from '../base/addresses.ts';
import type { ConnectorContext } from '../base/connector-context.ts';
import type { Manifest } from '../base/manifest.ts';
import { addressRefusal, checkedLookup } from '../http/checked-lookup.ts';
import type { Mail } from '../ports/mail.ts';
import { readSettings, SETTINGS, type SmtpSettings } from './settings.ts';
import { smtpError } from './smtp-error.ts';

const CONNECT_MS = 15_000;
const ANSWER_MS = 30_000;

/** Any mail server, over SMTP (RFC 5321) with encryption: from the first byte (RFC 8314), or by STARTTLS (RFC 3207). */
export const manifest: Manifest<Mail> = {
  kind: 'smtp',
  label: 'Mail server (SMTP)',
  settings: SETTINGS,
  open(given, context) {
    const settings = readSettings(given);
    const work = <T>(what: string, signal: AbortSignal, of: (transport: Transport) => Promise<T>) =>
      connected(settings, context, signal, what, of);
    return {
      async test(signal) {
        await work('The mail server', signal, (transport) => transport.verify());
        return { version: settings.host };
      },
      async send({ id, to, replyTo, subject, text }, signal) {
        const { from } = settings;
        const messageId = `<${id}@${from.slice(from.indexOf('@') + 1)}>`;
        // An automatic mail is not answered by automatic ones (RFC 3834).
        const headers = { 'Auto-Submitted': 'auto-generated' };
        const { response } = await work(`The mail to ${to}`, signal, (transport) =>
          transport.sendMail({
            ...{ from, to: { name: '', address: to }, subject, text, messageId, headers },
            ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
          }),
        );
        return response;
      },
    };
  },
};

/** Does something through a connection of its own, which ends with it, or with the signal. */
async function connected<T>(
  settings: SmtpSettings,
  context: ConnectorContext,
  signal: AbortSignal,
  what: string,
  work: (transport: Transport) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  let socket: Socket | undefined;
  try {
    socket = await openSocket(settings, context, signal);
    return await work(openTransport(settings, socket));
  } catch (error) {
    signal.throwIfAborted();
    throw smtpError(error, what);
  } finally {
    socket?.destroy();
  }
}

/** The name is looked up once, and refused addresses are not connected to. The signal destroys the socket whenever it is aborted. */
async function openSocket(
  { host, port }: SmtpSettings,
  { allowPrivateAddresses, resolveName: resolve = resolveName }: ConnectorContext,
  signal: AbortSignal,
): Promise<Socket> {
  // An address in digits is never looked up, so it is checked here.
  if (!allowPrivateAddresses && isIP(host) !== 0 && isRefusedAddress(host)) throw addressRefusal(host);
  const socket = new Socket({ signal });
  socket.setTimeout(CONNECT_MS, () =>
    socket.destroy(new Error(`${host} did not answer within ${CONNECT_MS / 1_000} seconds`)),
  );
  socket.connect({ host, port, lookup: checkedLookup(resolve, allowPrivateAddresses) });
  await once(socket, 'connect');
  socket.setTimeout(0);
  socket.removeAllListeners('timeout');
  return socket;
}

type Transport = ReturnType<typeof openTransport>;

function openTransport({ host, port, isSecure, auth, certificate }: SmtpSettings, connection: Socket) {
  return createTransport({
    host,
    port,
    secure: isSecure,
    // A password and the names of customers are never sent in the clear.
    requireTLS: !isSecure,
    connection,
    ...(auth === null ? {} : { auth }),
    ...(certificate === null ? {} : { tls: { ca: certificate } }),
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
