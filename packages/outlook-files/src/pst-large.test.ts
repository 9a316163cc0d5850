import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PstWriter } from './pst-writer.ts';
import { attachmentsOf, contentHash, folderAt, isInstalled, output } from './testing/read-back.ts';
import { scratchFolder } from './testing/scratch-folder.ts';

const hasReadpst = await isInstalled('readpst', 'pst-utils');
const CHUNK_BYTES = 64 * 1024;
/** For a file of 200,000 blocks that is written, checked and read on a busy machine, in milliseconds. */
const PATIENCE = 300_000;

/** Bytes that come as from a network: made on the way, never all there. */
async function* generated(
  sizeBytes: number,
  hash?: { update(bytes: Uint8Array): unknown },
): AsyncGenerator<Uint8Array> {
  const memory = Buffer.alloc(CHUNK_BYTES); // one for all pieces, so that what is measured is the writer's
  for (let made = 0; made < sizeBytes; made += CHUNK_BYTES) {
    const chunk = memory.subarray(0, sizeBytes - made).fill((made / CHUNK_BYTES) % 251);
    hash?.update(chunk);
    yield chunk;
  }
}

describe('a large attachment', () => {
  it('of 80 MB is written with little memory and comes back byte for byte', async () => {
    await using scratch = await scratchFolder();
    const sizeBytes = 80_000_000;
    const hash = createHash('sha256');
    let mostBytes = 0;
    const before = process.memoryUsage().arrayBuffers;
    async function* watched() {
      for await (const chunk of generated(sizeBytes, hash)) {
        mostBytes = Math.max(mostBytes, process.memoryUsage().arrayBuffers - before);
        yield chunk;
      }
    }
    await using writer = await PstWriter.create(scratch.file('a.pst'));
    const file = { kind: 'file', name: 'film.mp4', sizeBytes, content: watched } as const;
    await writer.add(writer.folder(['Inbox']), { kind: 'message', subject: 'film', attachments: [file] });
    await writer.finish();
    expect(mostBytes).toBeLessThan(48 * 1024 * 1024);
    const [message] = folderAt(scratch.file('a.pst'), 'Inbox').messages;
    const [attachment] = message ? attachmentsOf(message) : [];
    expect(attachment && contentHash(attachment)).toBe(hash.digest('hex'));
  });
});

describe.runIf(hasReadpst)('a large folder', () => {
  it(
    'of 70,000 items, more than an XBLOCK of rows, is read to the last one',
    async () => {
      await using scratch = await scratchFolder();
      const count = 70_000;
      await using writer = await PstWriter.create(scratch.file('a.pst'));
      const inbox = writer.folder(['Inbox']);
      for (let number = 0; number < count; number += 1) {
        await writer.add(inbox, {
          kind: 'message',
          subject: `Mail ${number}`,
          bodyText: 'x',
          isRead: number % 2 === 0,
        });
      }
      await writer.finish();
      const said = await output('readpst', '-j', '0', '-r', '-o', scratch.path, scratch.file('a.pst'));
      expect(said).toContain(`"Inbox" - ${count} items done, 0 items skipped.`);
    },
    PATIENCE,
  );
});
