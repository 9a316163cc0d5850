import { z } from 'zod';
import type { ConnectorContext } from '../base/connector-context.ts';
import { ConnectorError } from '../base/connector-error.ts';
import { openHttpClient } from '../http/client.ts';
import { parseJson } from '../http/json.ts';
import type { HttpReply } from '../http/message.ts';
import type { TwilioSettings } from './settings.ts';

/** Asks Twilio. A reply to what was not found is `null`; other refusals are thrown as a `ConnectorError`. */
export interface TwilioClient {
  read<T>(url: URL, schema: z.ZodType<T>, signal: AbortSignal): Promise<T | null>;
  /** Never repeated: the first of two might have been sent. */
  send<T>(
    url: URL,
    form: Readonly<Record<string, string>>,
    schema: z.ZodType<T>,
    signal: AbortSignal,
  ): Promise<T | null>;
}

export function openTwilioClient(settings: TwilioSettings, context: ConnectorContext): TwilioClient {
  const send = openHttpClient(context, { thumbprint: null });
  const authorization = `Basic ${Buffer.from(`${settings.user}:${settings.secret}`).toString('base64')}`;
  const headers = { accept: 'application/json', authorization };
  return {
    async read(url, schema, signal) {
      const reply = await send({ method: 'GET', url, headers, body: null, isIdempotent: true }, signal);
      return contentOf(reply, schema);
    },
    async send(url, form, schema, signal) {
      const typed = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams(form).toString();
      return contentOf(await send({ method: 'POST', url, headers: typed, body, isIdempotent: false }, signal), schema);
    },
  };
}

function contentOf<T>(reply: HttpReply, schema: z.ZodType<T>): T | null {
  if (reply.status === 404) return null;
  if (reply.status >= 300) throw refusalOf(reply);
  const read = schema.safeParse(parseJson(reply, 'Twilio'));
  if (read.success) return read.data;
  throw new ConnectorError(
    'bad-reply',
    `Twilio answered what its description does not allow: ${z.prettifyError(read.error)}`,
  );
}

const refusalBody = z.object({ code: z.int(), message: z.string() });

/** Why Twilio refused. Its message is not repeated: it may quote the number. */
function refusalOf(reply: HttpReply): ConnectorError {
  if (reply.status === 401)
    return new ConnectorError('wrong-credentials', 'Twilio refuses the API key or its secret. Enter them again.');
  if (reply.status >= 500)
    return new ConnectorError('not-reachable', `Twilio has trouble (status ${reply.status}). Try again later.`);
  const body = refusalBody.safeParse(parseJson(reply, 'Twilio'));
  const code = body.success ? `error ${body.data.code}` : `status ${reply.status}`;
  return new ConnectorError('not-allowed', `Twilio refuses this (${code}). Its documentation says why.`);
}
