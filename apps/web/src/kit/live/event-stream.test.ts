import { expect, test } from 'vitest';
import { readEvents, type ServerSentEvent } from './event-stream.ts';

async function eventsOf(...parts: string[]): Promise<ServerSentEvent[]> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(encoder.encode(part));
      controller.close();
    },
  });
  const events: ServerSentEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

test('reads names and data', async () => {
  expect(await eventsOf('event: sync.changed\ndata: {"id":1}\n\ndata:bare\n\n')).toEqual([
    { name: 'sync.changed', data: '{"id":1}' },
    { name: 'message', data: 'bare' },
  ]);
});

test('joins data of several lines', async () => {
  expect(await eventsOf('data: a\ndata: b\n\n')).toEqual([{ name: 'message', data: 'a\nb' }]);
});

test('passes over comments, ids and beginnings without an end', async () => {
  expect(await eventsOf(': still here\n\nid: 7\nretry: 5\n\nevent: x\ndata: never sent whole')).toEqual([]);
});

test('puts together what the network has cut anywhere', async () => {
  const text = 'event: a\r\ndata: 1\r\n\r\nevent: b\ndata: zwölf\n\n';
  const bytewise = [...text];
  expect(await eventsOf(...bytewise)).toEqual([
    { name: 'a', data: '1' },
    { name: 'b', data: 'zwölf' },
  ]);
});
