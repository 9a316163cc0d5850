import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorReply } from '@keepwatch/contract/wire/error';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '../secrets.ts';

/**
 * Answers in the shape of all other errors what never becomes a request: what the parser of HTTP refuses, an expectation that cannot be
 * met, a tunnel. These are written to the connection as they are, so they get the headers that every reply carries here.
 */
export function answerUnreadableRequests(server: FastifyInstance): UnreadableRequests {
  const headersOfReplies = replyHeaders(server);
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.server.on('request', (_request, response) => void answering.set(response.req.socket, response));
  server.server.on('checkExpectation', async (request: IncomingMessage, response: ServerResponse) => {
    const { headers, body } = replyOf(417, await headersOfReplies());
    response.writeHead(417, { ...headers, connection: 'close' }).end(body);
    request.resume();
  });
  server.server.on('connect', async (_request, socket) => {
    // Node removes its own listeners from a tunnel: a client that resets the connection would end the process.
    socket.on('error', () => socket.destroy());
    end(socket, replyOf(405, await headersOfReplies()));
  });
  return {
    async onClientError(error, socket) {
      const response = answering.get(socket);
      const isBegun = response?.headersSent === true && !response.writableFinished;
      if (error.code === 'ECONNRESET' || !socket.writable || isBegun) socket.destroy();
      else end(socket, replyOf(statusOf(error), await headersOfReplies()));
    },
    async onBadAddress(error, _request, reply) {
      const { status, headers, body } = replyOf(error.statusCode ?? 400, await headersOfReplies());
      reply.code(status).headers(headers).send(body);
    },
  };
}

export interface UnreadableRequests {
  /** For `clientErrorHandler`: bytes that are no request. */
  onClientError(error: NodeJS.ErrnoException, socket: Duplex): void;
  /** For `frameworkErrors`: an address that cannot be decoded, before any hook has run. */
  onBadAddress(error: { statusCode?: number }, request: FastifyRequest, reply: FastifyReply): void;
}

interface Reply {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

const CODES: Readonly<Record<number, ErrorReply['code']>> = {
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  413: 'BODY_TOO_LARGE',
  414: 'ADDRESS_TOO_LONG',
  417: 'EXPECTATION_FAILED',
  431: 'HEADERS_TOO_LARGE',
};

const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function statusOf({ code }: NodeJS.ErrnoException): number {
  return STATUSES[code ?? ''] ?? 400;
}

function replyOf(status: number, common: Readonly<Record<string, string>>): Reply {
  const requestId = newId();
  const message = `The request cannot be read: ${(STATUS_CODES[status] ?? 'Bad Request').toLowerCase()}.`;
  const error: ErrorReply = { success: false, code: CODES[status] ?? 'BAD_REQUEST', message, requestId };
  const body = JSON.stringify(error);
  const own = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
  };
  return { status, headers: { ...common, ...own }, body };
}

/** For so long a client may read the reply; nothing else would end a connection that it leaves open. */
const READING_MS = 1_000;

function end(socket: Duplex, { status, headers, body }: Reply): void {
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), READING_MS).unref();
}

/** The headers of a reply that are about no request in particular: read off one, so that they cannot differ. */
function replyHeaders(server: FastifyInstance): () => Promise<Readonly<Record<string, string>>> {
  let read: Promise<Readonly<Record<string, string>>> | undefined;
  return () => {
    read ??= server.inject({ method: 'GET', url: '/api/', headers: { host: 'localhost' } }).then(({ headers }) => {
      const common = Object.entries(headers).filter(([name]) => !OF_ONE_REPLY.test(name));
      return Object.fromEntries(common.map(([name, value]) => [name, String(value)]));
    });
    return read;
  };
}

const OF_ONE_REPLY = /^(x-ratelimit-.*|content-(length|type)|cache-control|x-request-id|date|connection|keep-alive)$/;
