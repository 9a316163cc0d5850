import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { outlookCrc } from '../crc.ts';
import type { OutlookMessage } from '../outlook-item.ts';
import { PstWriter } from '../pst-writer.ts';
import { scratchFolder } from '../testing/scratch-folder.ts';

// The layout is spelled out here once more, in plain offsets: a mistake in the writer's constants must not pass for its own check.

interface Leaf {
  entry: Buffer;
}

/** Entries of a tree's leaves, every page on the way checked. */
function leaves(file: Buffer, reference: number, type: number): Leaf[] {
  const page = checkedPage(file, Number(file.readBigUInt64LE(reference + 8)), type);
  const [count = 0, , bytes = 0, level = 0] = page.subarray(488, 492);
  return Array.from({ length: count }, (_, index) => index * bytes).flatMap((at) => {
    const start = page.byteOffset - file.byteOffset + at;
    return level > 0 ? leaves(file, start + 8, type) : [{ entry: page.subarray(at, at + bytes) }];
  });
}

function checkedPage(file: Buffer, position: number, type: number): Buffer {
  const page = file.subarray(position, position + 512);
  expect([page[496], page[497]]).toEqual([type, type]);
  expect(page.readUInt32LE(500)).toBe(outlookCrc(page.subarray(0, 496)));
  expect(page.readUInt16LE(498)).toBe(signatureOf(position, Number(page.readBigUInt64LE(504))));
  return page;
}

function signatureOf(position: number, id: number): number {
  const mixed = (position ^ id) >>> 0;
  return (mixed >>> 16) ^ (mixed & 0xffff);
}

/** Every block of the file, its trailer checked. */
function blocks(file: Buffer): { id: number; position: number; total: number; references: number }[] {
  return leaves(file, 232, 0x80).map(({ entry }) => {
    const [id, position, bytes] = [
      Number(entry.readBigUInt64LE(0)),
      Number(entry.readBigUInt64LE(8)),
      entry.readUInt16LE(16),
    ];
    const total = Math.ceil((bytes + 16) / 64) * 64;
    const trailer = file.subarray(position + total - 16, position + total);
    expect(trailer.readUInt16LE(0)).toBe(bytes);
    expect(trailer.readUInt16LE(2)).toBe(signatureOf(position, id));
    expect(trailer.readUInt32LE(4)).toBe(outlookCrc(file.subarray(position, position + bytes)));
    expect(Number(trailer.readBigUInt64LE(8))).toBe(id);
    return { id, position, total, references: entry.readUInt16LE(18) };
  });
}

/** Slots that the allocation maps mark as allocated. */
function allocatedSlots(file: Buffer): Set<number> {
  const allocated = new Set<number>();
  for (let at = 0x4400; at < file.length; at += 253_952) {
    for (let slot = 0; slot < 3_968; slot += 1) {
      if ((file[at + (slot >>> 3)] ?? 0) & (0x80 >>> (slot & 7))) {
        allocated.add((at - 0x4400) / 64 + slot);
      }
    }
  }
  return allocated;
}

function mail(subject: string, bytes: number, announced = bytes): OutlookMessage {
  const content = randomBytes(bytes);
  return {
    kind: 'message',
    subject,
    attachments: [{ kind: 'file', name: 'a', sizeBytes: announced, content: () => [content] }],
  };
}

async function sample(): Promise<Buffer> {
  await using scratch = await scratchFolder();
  await using writer = await PstWriter.create(scratch.file('a.pst'));
  const folder = writer.folder(['Inbox', 'Below']);
  for (let number = 0; number < 60; number += 1) {
    await writer.add(folder, mail(`mail ${number}`, number * 2_000));
    await expect(writer.add(folder, mail('torn', 90_000, 90_001))).rejects.toThrow('only 90000');
  }
  await writer.finish();
  return readFile(scratch.file('a.pst'));
}

describe('the bytes of a PST', () => {
  it('are consistent (header, trees, blocks, maps, free space), also after items that could not be written', async () => {
    const file = await sample();
    expect(file.toString('latin1', 0, 4)).toBe('!BDN');
    expect(file.readUInt32LE(4)).toBe(outlookCrc(file.subarray(8, 479)));
    expect(file.readUInt32LE(524)).toBe(outlookCrc(file.subarray(8, 524)));
    expect(Number(file.readBigUInt64LE(184))).toBe(file.length);
    expect(Number(file.readBigUInt64LE(192))).toBe(file.length - 253_952);
    checkedPage(file, 0x4200, 0x86);

    const allocated = allocatedSlots(file);
    expect(Number(file.readBigUInt64LE(200))).toBe(((file.length - 0x4400) / 64 - allocated.size) * 64);
    const all = blocks(file);
    expect(all.every((block) => block.references === 2)).toBe(true);
    expect(all.map((block) => block.id)).toEqual(all.map((block) => block.id).sort((a, b) => a - b));
    const slotsOfBlocks = all.flatMap(({ position, total }) => slots(position, total));
    expect(new Set(slotsOfBlocks).size).toBe(slotsOfBlocks.length); // no two blocks share a place
    expect(slotsOfBlocks.every((slot) => allocated.has(slot))).toBe(true);
    // The other allocated slots are pages: maps and trees. A discarded block that is still allocated would be among them.
    expect((allocated.size - slotsOfBlocks.length) % 8).toBe(0);
    expect(allocated.size - slotsOfBlocks.length).toBeLessThan((file.length / 253_952) * 8 * 4);
  });

  it('include every node that the format requires, each with blocks that exist', async () => {
    const file = await sample();
    const ids = new Set(blocks(file).map((block) => block.id));
    const nodes = leaves(file, 216, 0x81).map(({ entry }) => ({
      id: entry.readUInt32LE(0),
      data: Number(entry.readBigUInt64LE(8)),
      subnodes: Number(entry.readBigUInt64LE(16)),
      parent: entry.readUInt32LE(24),
    }));
    const required = [
      [0x21, 0x61, 0x122, 0x12d, 0x12e, 0x12f, 0x1e1, 0x201, 0x261, 0x60d, 0x60e, 0x60f, 0x610, 0x671, 0x692, 0x2223],
      [0x8022, 0x802d, 0x802e, 0x802f, 0x8042, 0x804d, 0x804e, 0x804f, 0x8062, 0x806d, 0x806e, 0x806f],
      [0x8082, 0x808d, 0x808e, 0x808f],
    ].flat();
    expect(required.filter((id) => !nodes.some((node) => node.id === id))).toEqual([]);
    expect(new Set(nodes.map((node) => node.id)).size).toBe(nodes.length);
    expect(nodes.filter(({ data, subnodes }) => [data, subnodes].some((id) => id !== 0 && !ids.has(id)))).toEqual([]);
    const messages = nodes.filter((node) => (node.id & 0x1f) === 4);
    expect(messages).toHaveLength(60);
    expect(new Set(messages.map((node) => node.parent)).size).toBe(1);
    const counters = Array.from({ length: 32 }, (_, type) => file.readUInt32LE(44 + type * 4));
    expect(nodes.filter((node) => node.id >>> 5 >= (counters[node.id & 0x1f] ?? 0))).toEqual([]);
  });
});

function slots(position: number, total: number): number[] {
  const first = (position - 0x4400) / 64;
  return Array.from({ length: total / 64 }, (_, index) => first + index);
}
