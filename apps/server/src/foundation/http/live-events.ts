import type { ServerResponse } from 'node:http';
import { seesProvider } from '@keepwatch/contract/abilities';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../errors.ts';
import type { LiveEvent, LiveEvents } from '../events.ts';
import type { Metrics } from '../metrics.ts';
import { bearerToken } from './bearer-token.ts';
import type { Actor, Session } from './context.ts';

interface LiveOptions {
  events: LiveEvents;
  metrics: Metrics;
  /** The session of a token, which it does not prolong. Throws the 401 that says why it is refused. */
  findSession(token: string): Promise<Session>;
  now(): Date;
}

/** Proxies cut connections on which nothing is said for a minute. */
const HEARTBEAT_MS = 25_000;
/** A stream ends at once with its session; the end of one that was announced while the database was away is noticed within this time. */
const RECHECK_MS = 60_000;
/** Open streams of one user: a browser with many tabs, not a script. */
const STREAMS_OF_USER_MAX = 20;

/** What a browser that does not read may leave unread before it is cut off. */
const UNREAD_BYTES_MAX = 64 * 1_024;

/**
 * `GET /api/events`: live events of the caller's provider as server-sent events. They name what changed and carry no data. A restore
 * operator is sent those about the own account alone: what else changes is outside of what the role shows. So is who has to choose a password or add a second
 * factor first. A stream ends with the session that opened it, and prolongs it by nothing.
 */
export function addLiveEvents(server: FastifyInstance, options: LiveOptions): void {
  const streams = new Map<ServerResponse, string>();
  // A stream has no end of its own: a server that closes would wait for it.
  server.addHook('preClose', async () => {
    for (const stream of streams.keys()) stream.end();
  });
  server.get('/api/events', async (request, reply) => {
    const token = bearerToken(request);
    const { actor } = await options.findSession(token);
    const open = [...streams.values()].filter((userId) => userId === actor.userId).length;
    if (open >= STREAMS_OF_USER_MAX) throw tooManyStreams();
    const headers = reply.getHeaders();
    const { raw } = reply.hijack();
    // The client left while we checked its session: no later event would report that.
    if (raw.destroyed) return;
    streams.set(raw, actor.userId);
    raw.on('close', () => streams.delete(raw));
    for (const [name, value = ''] of Object.entries(headers)) raw.setHeader(name, value);
    raw.writeHead(200, STREAM_HEADERS);
    const hearing = { actor };
    const look = endWithSession(raw, token, hearing, options);
    stream(raw, hearing, options, look);
  });
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  // Nothing follows on this connection: if it stayed open after the end, it would delay a server that closes.
  connection: 'close',
};

function tooManyStreams(): Refusal {
  return new Refusal(429, 'TOO_MANY_STREAMS', 'The portal is open in too many windows. Close some and reload.');
}

/** Whose stream it is, as the session was when it was last looked at. */
interface Hearing {
  actor: Actor;
}

/** Whether an event is sent to who hears. */
function isFor({ userId, scope, roles, mustChangePassword, mustEnrol }: Actor, event: LiveEvent): boolean {
  if (event.providerId !== scope.providerId) return false;
  if (event.userId !== undefined) return event.userId === userId;
  return seesProvider(roles) && !mustChangePassword && !mustEnrol;
}

/** @param look reads again who hears */
function stream(raw: ServerResponse, hearing: Hearing, { events, metrics }: LiveOptions, look: () => void): void {
  const write = (text: string) => {
    if (raw.writableLength > UNREAD_BYTES_MAX) raw.destroy();
    else raw.write(text);
  };
  write(': listening\n\n');
  metrics.liveConnections.inc();
  const unsubscribe = events.subscribe((event) => {
    if (!isFor(hearing.actor, event)) return;
    write(`event: ${event.name}\ndata: {}\n\n`);
    // With the account what the user may hear has changed, too.
    if (event.userId !== undefined) look();
  });
  const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS);
  raw.on('close', () => {
    clearInterval(heartbeat);
    unsubscribe();
    metrics.liveConnections.dec();
  });
}

/** Ends a stream when its session is announced as ended, and when it has expired. Gives how to look at the session at once. */
function endWithSession(raw: ServerResponse, token: string, hearing: Hearing, options: LiveOptions): () => void {
  let timer: NodeJS.Timeout | undefined;
  const check = async () => {
    try {
      const { actor, endsAt } = await options.findSession(token);
      if (raw.destroyed) return;
      hearing.actor = actor;
      clearTimeout(timer);
      timer = setTimeout(check, Math.min(RECHECK_MS, endsAt.getTime() - options.now().getTime()));
    } catch {
      raw.end();
    }
  };
  const forget = options.events.onSessionEnded(hearing.actor.sessionHash, () => raw.end());
  raw.on('close', () => {
    clearTimeout(timer);
    forget();
  });
  // From now on its end is heard: what ended between the first look and here is seen by this one.
  void check();
  return () => void check();
}
