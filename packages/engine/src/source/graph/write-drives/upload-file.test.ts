import { describe, expect, test } from 'vitest';
import { connectOffline, type Sent } from '../../../testing/graph/unsent-graph.ts';
import { emptyReply, jsonReply } from '../../../testing/made-reply.ts';
import type { TargetContent } from '../../target.ts';
import { QuickXorHash } from '../drive/quick-xor-hash.ts';
import type { HttpReply } from '../requests/transport.ts';
import { uploadFile } from './upload-file.ts';

const UPLOAD = 'https://contoso.sharepoint.com/_api/upload/1';
const PIECE = 10 * 1024 * 1024;
const { signal } = new AbortController();

const content = (sizeBytes: number, given = sizeBytes): TargetContent => ({
  name: 'file',
  sizeBytes,
  async *open() {
    for (let left = given; left > 0; left -= 3_000_000) yield new Uint8Array(Math.min(left, 3_000_000));
  },
});

/** Begins an upload with a drive that answers each piece as the test says. */
function upload(of: TargetContent, answer: (sent: Sent, piece: number) => HttpReply | null) {
  let pieces = 0;
  const { connection, sent } = connectOffline((one) => {
    if (one.url.endsWith('/createUploadSession')) return jsonReply({ uploadUrl: UPLOAD });
    if (one.method === 'DELETE') return emptyReply(204);
    if (one.method === 'PUT') pieces += 1;
    return answer(one, pieces) ?? jsonReply({ id: 'file' }, { status: 202 });
  });
  const done = uploadFile(connection, '/drives/d/items/p:/a.bin:', of, {}, signal);
  return { done, sent };
}

const ranges = (sent: readonly Sent[]) => sent.flatMap(({ range }) => range ?? []);

describe('A file', () => {
  test('goes up in pieces of ten megabytes, without the token, for which the upload has none', async () => {
    const size = 2 * PIECE + 5;
    const { done, sent } = upload(content(size), (_, piece) => (piece === 3 ? jsonReply({ id: 'written' }) : null));
    expect(await done).toEqual({ id: 'written' });
    expect(ranges(sent)).toEqual([
      `bytes 0-${PIECE - 1}/${size}`,
      `bytes ${PIECE}-${2 * PIECE - 1}/${size}`,
      `bytes ${2 * PIECE}-${size - 1}/${size}`,
    ]);
    for (const { url, token } of sent) expect(token === null).toBe(url.startsWith(UPLOAD));
  });

  test('is not sent twice when the answer to a piece was lost and the drive has it', async () => {
    const size = PIECE + 5;
    const { done, sent } = upload(content(size), ({ method }, piece) => {
      if (method === 'GET') return jsonReply({ nextExpectedRanges: [`${PIECE}-`] });
      return piece === 1
        ? jsonReply({ error: { code: 'invalidRange', message: '' } }, { status: 416 })
        : jsonReply({ id: 'written' });
    });
    expect(await done).toEqual({ id: 'written' });
    expect(ranges(sent)).toHaveLength(2);
  });

  /** The upload is over, and a file of such bytes is where it was to be written. */
  const overWith = (bytes: Uint8Array) => {
    const hash = new QuickXorHash();
    hash.update(bytes);
    const there = { id: 'written', size: 5, file: { hashes: { quickXorHash: hash.digest() } } };
    return upload(content(5), ({ method }) =>
      method === 'GET'
        ? jsonReply(there)
        : jsonReply({ error: { code: 'itemNotFound', message: '' } }, { status: 404 }),
    );
  };

  test('whose last answer was lost is found where it was written', async () => {
    expect(await overWith(new Uint8Array(5)).done).toMatchObject({ id: 'written' });
  });

  test('of another writer under that name does not pass as the restored one', async () => {
    await expect(overWith(Buffer.from('other')).done).rejects.toMatchObject({ code: 'not-found' });
  });

  const FAILURES: readonly [string, TargetContent, () => HttpReply | null, string][] = [
    [
      'refused',
      content(5),
      () => jsonReply({ error: { code: 'quotaLimitReached', message: 'Full.' } }, { status: 507 }),
      'source-full',
    ],
    ['shorter than it was stored', content(9, 5), () => null, 'damaged'],
  ];
  test.each(FAILURES)('that is %s ends its upload, so that no room is held', async (_, of, answer, code) => {
    const { done, sent } = upload(of, answer);
    await expect(done).rejects.toMatchObject({ code });
    expect(sent.at(-1)).toMatchObject({ method: 'DELETE', url: UPLOAD });
  });
});
