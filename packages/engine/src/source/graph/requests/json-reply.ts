import { isObject, type JsonObject } from '../json.ts';
import { heldText } from './held-text.ts';
import type { AdmittedReply, GraphCall } from './requests.ts';

/** The JSON of a reply. @throws SyntaxError for one that is no JSON: the connection tries again */
export async function jsonOf({ reply }: AdmittedReply, { replyBytesMax }: GraphCall): Promise<JsonObject> {
  const text = await heldText(reply, replyBytesMax);
  if (text === '') {
    if (reply.status === 200) throw new SyntaxError('a reply without a body');
    return {};
  }
  const body: unknown = JSON.parse(text);
  if (!isObject(body)) throw new SyntaxError('a reply that is no JSON object');
  return body;
}
