import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isBroken, sendBroken } from '../faults/broken-replies.ts';
import type { TenantFault } from '../faults/fault.ts';
import { readFaultHeader, TenantFaultError } from '../faults/fault.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { errorBody, type RequestIds } from './error-body.ts';
import type { GraphRequest } from './graph.ts';
import { refusal, splitOnce } from './graph.ts';
import type { GraphReply } from './graph-call.ts';
import { GraphError } from './graph-error.ts';
import type { Traffic } from './traffic.ts';

/** A request with all of its body. */
export interface WireRequest extends GraphRequest {
  /** Path and query from the root. */
  fullUrl: string;
  /** Scheme and host as the client named them, such as `http://127.0.0.1:4711`. */
  origin: string;
  remoteAddress: string | undefined;
}

export interface WireParts {
  /** Everything below `/v1.0`. */
  graph: (request: GraphRequest) => Promise<GraphReply>;
  /** Everything else; `undefined` for an unknown path. */
  elsewhere: (request: WireRequest) => Promise<GraphReply | undefined> | GraphReply | undefined;
  plan: FaultPlan;
  traffic: Traffic;
  nowMs: () => number;
}

const versionPath = '/v1.0';
/** The sandbox has only what v1.0 lacks of it; its paths include the version. */
const betaPath = '/beta/';
/** Bytes a request may have: the largest chunk of an upload session is 60 MiB. */
const mostBytes = 64 * 1024 * 1024;

/** A server of plain HTTP/1.1, as thin as it can be: an engine is timed against it. */
export function createServer(parts: WireParts): http.Server {
  const server = http.createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    answer(parts, incoming, outgoing).catch(() => outgoing.destroy());
  });
  // A slow client is the client's matter; what is slow here is so on purpose.
  server.requestTimeout = 0;
  return server;
}

async function answer(parts: WireParts, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const ids = idsOf(incoming);
  let reply: GraphReply;
  let fault: TenantFault | undefined;
  try {
    fault = faultOf(parts.plan, incoming);
    const request = await readRequest(incoming, ids, fault);
    const isGraph = [versionPath, betaPath].some((version) => request.fullUrl.startsWith(version));
    reply = (isGraph ? await parts.graph(request) : await parts.elsewhere(request)) ?? notFound(ids, parts.nowMs());
  } catch (error) {
    const known = error instanceof TenantFaultError ? new GraphError(400, 'SandboxError', error.message) : error;
    reply = refusal(known, ids, parts.nowMs());
  }
  const date = new Date(parts.nowMs()).toUTCString();
  const headers = { date, ...reply.headers, 'request-id': ids.requestId, 'client-request-id': ids.clientRequestId };
  if (fault && isBroken(fault)) return sendBroken(fault, { ...reply, headers }, outgoing);
  await send({ ...reply, headers }, outgoing, parts.traffic);
}

async function send(reply: GraphReply, outgoing: ServerResponse, traffic: Traffic): Promise<void> {
  const { status, headers, body } = reply;
  if (body instanceof Readable) {
    outgoing.writeHead(status, headers);
    return pipeline(body, outgoing);
  }
  if (body === undefined) {
    outgoing.writeHead(status, { ...headers, 'content-length': '0' });
    outgoing.end();
    return;
  }
  const bytes = bytesOf(body);
  traffic.countBytes(bytes.length);
  outgoing.writeHead(status, {
    'content-type': Buffer.isBuffer(body) ? 'application/octet-stream' : jsonType,
    ...headers,
    'content-length': String(bytes.length),
  });
  outgoing.end(bytes);
}

const jsonType = 'application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8';

function bytesOf(body: GraphReply['body']): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
}

function idsOf(incoming: IncomingMessage): RequestIds {
  const requestId = randomUUID();
  const asked = incoming.headers['client-request-id'];
  return { requestId, clientRequestId: typeof asked === 'string' ? asked : requestId };
}

/** The sandbox's own calls are beyond all faults, so that they can be ended. */
function faultOf(plan: FaultPlan, incoming: IncomingMessage): TenantFault | undefined {
  const [full = ''] = splitOnce(incoming.url ?? '/', '?');
  if (full.startsWith('/__sandbox')) return undefined;
  const header = incoming.headers['x-sandbox-fault'];
  if (typeof header === 'string') return readFaultHeader(header);
  const path = full.startsWith(versionPath) ? full.slice(versionPath.length) : full;
  return plan.hit(incoming.method ?? 'GET', path);
}

async function readRequest(
  incoming: IncomingMessage,
  ids: RequestIds,
  fault: TenantFault | undefined,
): Promise<WireRequest> {
  const headers = flatHeaders(incoming);
  const origin = `http://${headers['host'] ?? '127.0.0.1'}`;
  const fullUrl = incoming.url ?? '/';
  return {
    method: incoming.method ?? 'GET',
    fullUrl,
    url: fullUrl.startsWith(versionPath) ? fullUrl.slice(versionPath.length) : fullUrl,
    headers,
    body: parseBody(await readBody(incoming), isFile(incoming) ? undefined : headers['content-type']),
    origin,
    baseUrl: origin + versionPath,
    ids,
    fault,
    remoteAddress: incoming.socket.remoteAddress,
  };
}

function flatHeaders(incoming: IncomingMessage): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') {
    incoming.resume();
    return Buffer.alloc(0);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    if (!Buffer.isBuffer(chunk)) continue;
    length += chunk.length;
    if (length > mostBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** The rest of the request is not read, so no other request can follow on the connection. */
const tooLarge = () =>
  new GraphError(413, 'RequestEntityTooLarge', 'The request is too large.', { connection: 'close' });

/** Bytes of a file are not parsed, even if they are JSON. */
function isFile({ method, url = '' }: IncomingMessage): boolean {
  return method === 'PUT' && /\/(content|uploadSessions\/[^/?]+)(\?|$)/i.test(url);
}

function parseBody(bytes: Buffer, type: string | undefined): unknown {
  if (bytes.length === 0) return undefined;
  if (!/json/i.test(type ?? '')) return bytes;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new GraphError(
      400,
      'BadRequest',
      'Unable to read JSON request payload. Please ensure Content-Type header is set and payload is of valid JSON format.',
    );
  }
}

function notFound(ids: RequestIds, nowMs: number): GraphReply {
  return { status: 404, body: errorBody(new GraphError(404, 'NotFound', 'There is nothing here.'), ids, nowMs) };
}
