import { ConnectorError } from '../base/connector-error.ts';
import type { HttpReply } from './message.ts';

/**
 * The JSON of a reply. Throws `bad-reply` when it is none, saying what came instead without quoting it: what a vendor sends
 * by mistake may hold secrets, and the parser's own message would quote it.
 */
export function parseJson(reply: HttpReply, what: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(reply.body));
  } catch {
    const kind = reply.headers['content-type'] ?? 'no content type';
    const text = `${what}: expected JSON, got ${reply.body.length} bytes that are none (${kind}, status ${reply.status})`;
    throw new ConnectorError('bad-reply', `${text}; check that the address is the API's and not a web page's`);
  }
}
