import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../errors.ts';
import type { LiveEvents } from '../events.ts';
import type { Metrics } from '../metrics.ts';
import { bearerToken } from './bearer-token.ts';
import type { Actor } from './context.ts';

interface LiveOptions {
  events: LiveEvents;
  metrics: Metrics;
  authenticate(token: string): Promise<Actor>;
}

/** Proxies cut connections on which nothing is said for a minute. */
const HEARTBEAT_MS = 25_000;
/** A session that was ended elsewhere is noticed within this time. */
const RECHECK_MS = 60_000;
/** Open streams of one user: a browser with many tabs, not a script. */
const STREAMS_OF_USER_MAX = 20;

/** What a browser that does not read may leave unread before it is cut off. */
const UNREAD_BYTES_MAX = 64 * 1_024;

/** `GET /api/events`: live events of the caller's provider as server-sent events. They name what changed and carry no data. */
export function addLiveEvents(server: FastifyInstance, options: LiveOptions): void {
  const streams = new Map<ServerResponse, string>();
  // A stream never ends by itself: a server that closes would wait for it.
  server.addHook('preClose', async () => {
    for (const stream of streams.keys()) stream.end();
  });
  server.get('/api/events', async (request, reply) => {
    const token = bearerToken(request);
    const actor = await options.authenticate(token);
    const open = [...streams.values()].filter((userId) => userId === actor.userId).length;
    if (open >= STREAMS_OF_USER_MAX) throw tooManyStreams();
    const { raw } = reply.hijack();
    // Gone while we looked who it is: nothing would tell us later.
    if (raw.destroyed) return;
    streams.set(raw, actor.userId);
    stream(raw, actor, options, token, () => streams.delete(raw));
  });
}

function tooManyStreams(): Refusal {
  return new Refusal(429, 'TOO_MANY_STREAMS', 'The portal is open in too many windows. Close some and reload.');
}

function stream(raw: ServerResponse, actor: Actor, options: LiveOptions, token: string, ended: () => void): void {
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // Nothing follows on this connection: kept alive after the end it would hold a server that closes.
    connection: 'close',
  });
  const write = (text: string) => {
    if (raw.writableLength > UNREAD_BYTES_MAX) raw.destroy();
    else raw.write(text);
  };
  write(': listening\n\n');
  options.metrics.liveConnections.inc();
  const unsubscribe = options.events.subscribe((event) => {
    if (event.providerId === actor.scope.providerId) write(`event: ${event.name}\ndata: {}\n\n`);
  });
  const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS);
  const recheck = setInterval(() => options.authenticate(token).catch(() => raw.end()), RECHECK_MS);
  raw.on('close', () => {
    clearInterval(heartbeat);
    clearInterval(recheck);
    unsubscribe();
    options.metrics.liveConnections.dec();
    ended();
  });
}
