import { isObject, type JsonObject } from '../json.ts';
import { readHeld } from './held-text.ts';
import { jsonWithBytes, type PlaceOfBytes } from './json-with-bytes.ts';
import type { AdmittedReply, GraphCall } from './requests.ts';

/** The JSON of a reply. @throws SyntaxError for one that is no JSON: the connection tries again */
export async function jsonOf({ reply }: AdmittedReply, { replyBytesMax, bytesIn }: GraphCall): Promise<JsonObject> {
  return readHeld(reply, replyBytesMax, (bytes) => {
    if (bytes.length > 0) return objectIn(bytes, bytesIn);
    if (reply.status === 200) throw new SyntaxError('a reply without a body');
    return {};
  });
}

function objectIn(bytes: Buffer, bytesIn: PlaceOfBytes | undefined): JsonObject {
  const body: unknown = bytesIn === undefined ? JSON.parse(bytes.toString()) : jsonWithBytes(bytes, bytesIn);
  if (!isObject(body)) throw new SyntaxError('a reply that is no JSON object');
  return body;
}
