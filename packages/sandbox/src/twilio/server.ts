import Fastify, { type FastifyInstance } from 'fastify';
import { addPhone } from './phone.ts';
import { addTwilioRoutes, type TwilioAccount } from './routes.ts';
import { TwilioError } from './twilio-error.ts';
import { sidOf, Verifications } from './verifications.ts';

export interface TwilioOptions {
  /** Default real time. */
  now?: () => Date;
  /** Default 0: a free one. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Whether the phone answers (this machine alone). Default false. */
  control?: boolean;
}

export interface RunningTwilio extends TwilioAccount {
  /** Base of Verify and of Lookup, such as http://127.0.0.1:1290 */
  url: string;
  /** The texts of the messages to a number, the newest first. */
  messagesTo(number: string): string[];
  advanceClock(ms: number): void;
  stop(): Promise<void>;
}

/** Starts an invented account behind the vendor's interface of Verify and Lookup. */
export async function startTwilio(options: TwilioOptions = {}): Promise<RunningTwilio> {
  const clock = options.now ?? (() => new Date());
  let shiftMs = 0;
  const nowMs = () => clock().getTime() + shiftMs;
  const advanceClock = (ms: number) => {
    shiftMs += ms;
  };
  const account: TwilioAccount = {
    accountSid: sidOf('AC', 'sandbox'),
    authToken: sidOf('', 'sandbox token'),
    serviceSid: sidOf('VA', 'sandbox service'),
    serviceName: 'Keystone Backup',
  };
  const verifications = new Verifications(account.serviceName, nowMs);
  const app = buildApp(account, verifications);
  const { messages } = verifications;
  if (options.control) addPhone(app, { messages, nowMs, advanceClock });
  const url = await app.listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1' });
  return {
    ...account,
    url,
    messagesTo: (number) =>
      messages
        .filter(({ to }) => to === number)
        .map(({ text }) => text)
        .toReversed(),
    advanceClock,
    stop: () => app.close(),
  };
}

function buildApp(account: TwilioAccount, verifications: Verifications): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
  app.setNotFoundHandler((request, reply) => {
    const { status, body } = new TwilioError(404, 20404, `The requested resource ${request.url} was not found`);
    return reply.code(status).send(body);
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const status = error.statusCode ?? 500;
    const known = error instanceof TwilioError ? error : new TwilioError(status, 20000 + status, error.message);
    return reply.code(known.status).send(known.body);
  });
  addTwilioRoutes(app, account, verifications);
  return app;
}
