import type { HttpReply } from '../source/graph/requests/transport.ts';

interface Head {
  status?: number;
  /** By their names in lower case. */
  headers?: Readonly<Record<string, string>>;
}

/** A reply as the transport gives it, but made by a test. */
export function madeReply(body: AsyncIterable<Uint8Array>, { status = 200, headers = {} }: Head = {}): HttpReply {
  return { status, header: (name) => headers[name] ?? null, body, discard: () => undefined };
}

export function jsonReply(body: unknown, head?: Head): HttpReply {
  return madeReply(once(JSON.stringify(body)), head);
}

export const emptyReply = (status: number): HttpReply => madeReply(once(''), { status });

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
