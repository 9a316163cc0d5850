import type { FastifyInstance, FastifyReply } from 'fastify';
import { unauthenticated } from '../errors.ts';
import type { LiveEvents } from '../events.ts';
import type { Metrics } from '../metrics.ts';
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

/** `GET /api/events`: live events of the caller's provider as server-sent events. They name what changed and carry no data. */
export function addLiveEvents(server: FastifyInstance, options: LiveOptions): void {
  const streams = new Map<string, number>();
  server.get('/api/events', async (request, reply) => {
    const token = /^Bearer ([\w-]{20,100})$/.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw unauthenticated();
    const actor = await options.authenticate(token);
    const open = streams.get(actor.userId) ?? 0;
    if (open >= STREAMS_OF_USER_MAX) return reply.code(429).send();
    streams.set(actor.userId, open + 1);
    stream(reply, actor, options, token, () => streams.set(actor.userId, (streams.get(actor.userId) ?? 1) - 1));
    return reply;
  });
}

function stream(reply: FastifyReply, actor: Actor, options: LiveOptions, token: string, ended: () => void): void {
  const { raw } = reply.hijack();
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  raw.write(': listening\n\n');
  options.metrics.liveConnections.inc();
  const unsubscribe = options.events.subscribe((event) => {
    if (event.providerId === actor.scope.providerId) raw.write(`event: ${event.name}\ndata: {}\n\n`);
  });
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS);
  const recheck = setInterval(() => options.authenticate(token).catch(() => raw.end()), RECHECK_MS);
  raw.on('close', () => {
    clearInterval(heartbeat);
    clearInterval(recheck);
    unsubscribe();
    options.metrics.liveConnections.dec();
    ended();
  });
}
