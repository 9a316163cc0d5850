import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

/** A real HTTP server on this machine whose replies a test writes. */
export interface Vendor {
  url: URL;
  /** Requests in the order they came. */
  requests: ReceivedRequest[];
  stop(): Promise<void>;
}

export interface ReceivedRequest {
  method: string;
  /** Path and query as sent. */
  target: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Answer = (request: ReceivedRequest, reply: ServerResponse, index: number) => void | Promise<void>;

/** Starts a vendor on a free port. `index` counts the requests from 0. */
export async function startVendor(answer: Answer, tls?: { key: string; cert: string }): Promise<Vendor> {
  const requests: ReceivedRequest[] = [];
  const listener: RequestListener = async (incoming, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const request = { method: incoming.method ?? '', target: incoming.url ?? '', headers: incoming.headers, body };
    await answer(request, reply, requests.push(request) - 1);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`${tls ? 'https' : 'http'}://127.0.0.1:${port}`),
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function answerJson(
  reply: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** Makes a self-signed certificate for 127.0.0.1. */
export async function makeCertificate(): Promise<{ key: string; cert: string }> {
  const made = await generate([{ name: 'commonName', value: 'vendor.test' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  return { key: made.private, cert: made.cert };
}
