import type { Dispatcher } from 'undici';
import { request as sendThrough } from 'undici';
import type { HttpReply, HttpRequest, Send } from './message.ts';
import { describeRequest } from './message.ts';
import { TransportError, transportError } from './transport-error.ts';

/**
 * The bare way to a vendor, under all wrappers. Redirects are not followed: the reply with the redirect is returned, so
 * that credentials never travel to an address that was not entered. A reply that grows past the limit is cut and refused.
 */
export function sendThroughConnection(connection: Dispatcher, responseSizeBytesMax: number): Send {
  return async (request, signal) => {
    try {
      const { method, headers, body } = request;
      const reply = await sendThrough(request.url, { method, headers, body, signal, dispatcher: connection });
      return {
        status: reply.statusCode,
        headers: firstOfEach(reply.headers),
        body: await readBody(reply.body, responseSizeBytesMax, request),
      };
    } catch (error) {
      signal.throwIfAborted();
      throw transportError(error, describeRequest(request));
    }
  };
}

function firstOfEach(headers: Readonly<Record<string, string | string[] | undefined>>): HttpReply['headers'] {
  const first: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined) first[name] = text;
  }
  return first;
}

async function readBody(
  body: AsyncIterable<Uint8Array>,
  sizeBytesMax: number,
  request: HttpRequest,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  // Leaving the loop early destroys the stream, and with it the socket: the rest is never received.
  for await (const chunk of body) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > sizeBytesMax) {
      throw new TransportError(
        'bad-reply',
        `${describeRequest(request)}: the reply is larger than ${sizeBytesMax} bytes`,
        {
          isTransient: false,
        },
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, sizeBytes);
}
