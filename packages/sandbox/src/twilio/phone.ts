import type { FastifyInstance } from 'fastify';
import { isFromHere } from '../from-here.ts';
import type { SentMessage } from './verifications.ts';

/** What the phone can reach. */
export interface PhoneContext {
  messages: readonly SentMessage[];
  nowMs: () => number;
  advanceClock: (ms: number) => void;
}

/**
 * Adds the phone, which shows the messages of every number (`?to=` of one), and the clock. They are no part of the vendor's API, and answer
 * this machine alone.
 */
export function addPhone(app: FastifyInstance, { messages, nowMs, advanceClock }: PhoneContext): void {
  const shown = (query: unknown) => {
    const to = textAt(query, 'to');
    return messages.filter((message) => to === null || message.to === to).toReversed();
  };
  app.register(async (control) => {
    control.addHook('onRequest', async (request, reply) => {
      if (!isFromHere(request)) return reply.code(403).send({ message: 'Only this machine may look at the phone.' });
    });
    control.get('/__sandbox/messages', (request) => ({ messages: shown(request.query) }));
    control.get('/__sandbox/phone', (request, reply) => reply.type('text/html').send(pageOf(shown(request.query))));
    control.post('/__sandbox/clock', (request) => {
      advanceClock(Number(textAt(request.body, 'advanceMs') ?? 0));
      return { now: new Date(nowMs()).toISOString() };
    });
  });
}

function textAt(value: unknown, name: string): string | null {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === 'string' || typeof found === 'number' ? String(found) : null;
}

function pageOf(messages: readonly SentMessage[]): string {
  const items = messages.map(
    ({ to, text, sentAt }) =>
      `<li><strong>${escapeHtml(to)}</strong> <time>${sentAt}</time><p>${escapeHtml(text)}</p></li>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="3"><title>Phone</title>
<style>body{font:16px system-ui;max-width:26rem;margin:2rem auto;padding:0 1rem}ul{list-style:none;padding:0}
li{border:1px solid #bbb;border-radius:12px;padding:.75rem 1rem;margin:.75rem 0}time{color:#555;font-size:.85em}p{margin:.25rem 0 0}</style>
<h1>Phone</h1>${items.length === 0 ? '<p>No messages yet.</p>' : `<ul>${items.join('')}</ul>`}</html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
