import { connect, isIP, type Socket } from 'node:net';
import { createTransport, type Transporter } from 'nodemailer';
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
    const work = <T>(what: string, signal: AbortSignal, of: (transport: Transporter) => Promise<T>) =>
      connected(settings, context, signal, what, of);
    return {
      async test(signal) {
        await work('The mail server', signal, (transport) => transport.verify());
        return { version: settings.host };
      },
      async send({ id, to, subject, text }, signal) {
        const { from } = settings;
        const messageId = `<${id}@${from.slice(from.indexOf('@') + 1)}>`;
        // An automatic mail is not answered by automatic ones (RFC 3834).
        const headers = { 'Auto-Submitted': 'auto-generated' };
        await work(`The mail to ${to}`, signal, (transport) =>
          transport.sendMail({ from, to: { name: '', address: to }, subject, text, messageId, headers }),
        );
      },
    };
  },
};

/** Does something through a connection of its own, which ends with it. */
async function connected<T>(
  settings: SmtpSettings,
  context: ConnectorContext,
  signal: AbortSignal,
  what: string,
  work: (transport: Transporter) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  let socket: Socket | undefined;
  try {
    socket = await Promise.race([openSocket(settings, context), stopped]);
    const transport = createTransport(optionsOf(settings, socket));
    return await Promise.race([work(transport), stopped]);
  } catch (error) {
    signal.throwIfAborted();
    throw smtpError(error, what);
  } finally {
    signal.removeEventListener('abort', stop);
    socket?.destroy();
  }
}

/** The name is looked up once, and refused addresses are not connected to. */
async function openSocket({ host, port }: SmtpSettings, context: ConnectorContext): Promise<Socket> {
  const { allowPrivateAddresses, resolveName: resolve = resolveName } = context;
  // An address in digits is never looked up, so it is checked here.
  if (!allowPrivateAddresses && isIP(host) !== 0 && isRefusedAddress(host)) throw addressRefusal(host);
  const socket = connect({ host, port, lookup: checkedLookup(resolve, allowPrivateAddresses), timeout: CONNECT_MS });
  return new Promise((resolved, reject) => {
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.once('error', fail);
    socket.once('timeout', () => fail(new Error(`${host} did not answer within ${CONNECT_MS / 1_000} seconds`)));
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.removeAllListeners();
      resolved(socket);
    });
  });
}

function optionsOf({ host, port, isSecure, auth, certificate }: SmtpSettings, connection: Socket) {
  return {
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
  };
}
