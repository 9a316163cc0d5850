import { describe, expect, it } from 'vitest';
import { connectOffline } from '../../../testing/graph/unsent-graph.ts';
import { madeReply } from '../../../testing/made-reply.ts';
import { itemOf } from '../../../testing/written-source.ts';
import type { GraphConnection } from '../connection.ts';
import { exportItem, exportItems } from './exchange-export.ts';
import { exportGroups } from './exchange-stream.ts';

const MB = 2 ** 20;
const signal = new AbortController().signal;

/** Graph with items of a size, whose export is made as it is sent. */
function graphOf(sizeBytes: number): { connection: GraphConnection; sent: () => number } {
  let sent = 0;
  const piece = Buffer.from(Buffer.alloc(3 * 2 ** 16, 7).toString('base64'));
  const piecesOf = function* (ids: readonly string[]) {
    yield Buffer.from('{"value":[');
    for (const [at, id] of ids.entries()) {
      yield Buffer.from(`${at > 0 ? ',' : ''}{"itemId":"${id}","data":"`);
      for (let left = sizeBytes; left > 0; left -= 3 * 2 ** 16) yield piece;
      yield Buffer.from('"}');
    }
    yield Buffer.from(']}');
  };
  const bodyOf = async function* (ids: readonly string[]) {
    for (const bytes of piecesOf(ids)) {
      sent += bytes.length;
      yield bytes;
    }
  };
  const { connection } = connectOffline(({ body }) => madeReply(bodyOf(JSON.parse(body).itemIds)));
  return { connection, sent: () => sent };
}

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += 1_000) yield Buffer.from(text.slice(at, at + 1_000));
}

describe('The export of a mailbox', () => {
  it('streams an item of any size, and buffers none of it', async () => {
    const { connection, sent } = graphOf(150 * MB);
    let received = 0;
    let most = 0;
    for await (const piece of exportItem(connection, 'm', { id: 'a', name: 'Large' }, signal)) {
      received += piece.length;
      most = Math.max(most, (sent() * 3) / 4 - received);
    }
    expect(received).toBeGreaterThanOrEqual(150 * MB);
    expect(most).toBeLessThan(2 * MB);
  });

  it('refuses an item without an end, and says so', async () => {
    const { connection } = graphOf(Number.POSITIVE_INFINITY);
    const reading = async () => {
      for await (const _ of exportItem(connection, 'm', { id: 'a', name: 'Bomb' }, signal));
    };
    await expect(reading()).rejects.toThrow(/more than 512 MB as the export of ‘Bomb’.*It is refused/);
  });

  it('buffers no more of a group than the reported size of its items', async () => {
    const { connection, sent } = graphOf(21 * MB);
    const ids = Array.from({ length: 20 }, (_, at) => `id${at}`);
    await expect(exportItems(connection, 'm', ids, signal)).rejects.toThrow(/more than 8 MB/);
    expect(sent()).toBeLessThan(10 * MB);
  });

  it('gives the bytes of each item of a group, however the reply writes them, and why one is not given out', async () => {
    const [long, escaped, short] = [Buffer.alloc(3_000, 7), Buffer.alloc(3_000, 255), Buffer.from('abc')];
    const error = { code: 'ErrorItemNotFound', message: 'gone' };
    const entries = [long, escaped, short].map((bytes, at) => ({ itemId: `id${at}`, data: bytes.toString('base64') }));
    const text = JSON.stringify({ value: [...entries, { itemId: 'id3', error }] });
    const replies = [text, text.replaceAll('/', '\\/')];
    const { connection } = connectOffline((_, count) => madeReply(piecesOf(replies[count - 1] ?? '')));
    for (const _ of replies) {
      const exported = await exportItems(connection, 'm', ['id0', 'id1', 'id2', 'id3'], signal);
      expect([...exported.values()].slice(0, 3)).toEqual([long, escaped, short]);
      expect(exported.get('id3')).toMatchObject({ code: 'not-found' });
    }
  });

  it('asks for large items one by one, and for small ones together as long as they stay small', () => {
    const message = (id: string, sizeBytes: number) => ({
      ...itemOf(id, { kind: 'message', name: id, parentId: null, contents: {} }),
      sizeBytes,
    });
    const small = Array.from({ length: 50 }, (_, at) => message(`small${at}`, 40_000));
    const middle = Array.from({ length: 5 }, (_, at) => message(`middle${at}`, 0.8 * MB));
    const event = { ...message('event', 300), kind: 'event' as const, details: { hasAttachments: true } };
    const groups = exportGroups([...small, ...middle, message('large', 10 * MB), event]);
    expect(groups.small.map((group) => group.length)).toEqual([20, 20, 12, 2, 1]);
    expect(groups.large.map(({ id }) => id)).toEqual(['large', 'event']);
  });
});
