import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, asyncProperty, nat } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkPst, reportPst } from './check.ts';
import { rules } from './rules.ts';
import { blockBreakages } from './testing/breakages/blocks.ts';
import type { Breakage } from './testing/breakages/breakage.ts';
import { headerBreakages } from './testing/breakages/header.ts';
import { heapBreakages } from './testing/breakages/heaps.ts';
import { messageBreakages } from './testing/breakages/messages.ts';
import { densityList, pageBreakages } from './testing/breakages/pages.ts';
import { storeBreakages } from './testing/breakages/store.ts';
import { binary, bytesNode } from './testing/content.ts';
import { type BuildOptions, buildPst } from './testing/pst-builder.ts';
import type { PstImage } from './testing/pst-image.ts';
import { sampleNodes } from './testing/sample.ts';

/** For files of thousands of blocks on a busy machine, in milliseconds. */
const patience = 60_000;

let folder = '';
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pst-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function write(image: PstImage): Promise<string> {
  const path = join(folder, `${files++}.pst`);
  await image.write(path);
  return path;
}

async function findingsOf(image: PstImage) {
  return await checkPst(await write(image));
}

const breakages = [
  headerBreakages,
  pageBreakages,
  blockBreakages,
  heapBreakages,
  storeBreakages,
  messageBreakages,
].flat();

describe('a file without a fault', () => {
  const variants: [string, BuildOptions][] = [
    ['plain', {}],
    ['encoded with the permutation', { permuted: true }],
    ['with a level of SIBLOCKs', { subnodesPerBlock: 2 }],
    ['with a free map page', { sections: 130 }],
    ['beyond 2 GB, with a free page map page', { sections: 8200 }],
  ];
  test.each(variants)(
    '%s has no findings',
    async (_, options) => {
      expect(await findingsOf(buildPst(sampleNodes(), options))).toEqual([]);
    },
    patience,
  );

  test(
    'a folder of 3,000 messages, with a heap and a row index of several levels, has no findings',
    async () => {
      expect(await findingsOf(buildPst(sampleNodes(3000)))).toEqual([]);
    },
    patience,
  );

  test(
    'a node of 9 MB, with an XXBLOCK, has no findings',
    async () => {
      expect(await findingsOf(buildPst([...sampleNodes(), bytesNode(0x241, Buffer.alloc(9_000_000, 1))]))).toEqual([]);
    },
    patience,
  );

  test('a right density list has no findings', async () => {
    const image = buildPst(sampleNodes());
    image.pieces.set(0x4200, densityList((image.at(0).readUInt32LE(200) / 64) * 0x10_0000));
    expect(await findingsOf(image)).toEqual([]);
  });

  test('the report counts bytes, nodes and blocks', async () => {
    const nodes = sampleNodes();
    const image = buildPst(nodes);
    const { checked } = await reportPst(await write(image));
    expect(checked).toEqual({ bytes: image.size, nodes: nodes.length, blocks: image.blockOffsets.size });
  });
});

describe('each rule can fail', () => {
  test.each(breakages.map((breakage): [string, string, Breakage] => [breakage.rule, breakage.what, breakage]))(
    '%s: %s',
    async (_rule, _what, breakage) => {
      const nodes = sampleNodes();
      breakage.nodes?.(nodes);
      const image = buildPst(nodes, breakage.options);
      breakage.image?.(image);
      const findings = await findingsOf(image);
      const broken = [...new Set(findings.map(({ rule }) => rule))].toSorted();
      if (breakage.also === 'more') expect(broken).toContain(breakage.rule);
      else
        expect(broken, JSON.stringify(findings, null, 1)).toEqual([breakage.rule, ...(breakage.also ?? [])].toSorted());
    },
    patience,
  );

  test('no rule is without a file that breaks it', () => {
    const shown = new Set<string>(breakages.map(({ rule }) => rule));
    expect(Object.keys(rules).filter((rule) => !shown.has(rule))).toEqual([]);
  });
});

describe('damage', () => {
  test('an empty file is a finding, not an error', async () => {
    const image = buildPst([]);
    image.pieces.clear();
    image.size = 0;
    expect((await findingsOf(image)).map(({ rule }) => rule)).toEqual(['header-magic']);
  });

  test('any byte of a block changed without its checksum is found', async () => {
    const image = buildPst([...sampleNodes(), bytesNode(0x241, Buffer.alloc(5000, 1))]);
    const block = image.at(image.offsetOf(image.blockOf(0x241)));
    block.writeUInt8(2, 4321);
    expect((await findingsOf(image)).map(({ rule }) => rule)).toEqual(['block-crc']);
  });

  test(
    'no damage to blocks makes the checker itself fail, even where all checksums are right',
    async () => {
      await assert(
        asyncProperty(nat(), nat(), nat(255), async (which, where, value) => {
          const image = buildPst(sampleNodes(3));
          const bids = [...image.blockOffsets.keys()];
          image.block(bids[which % bids.length] ?? 4, (data) => data.writeUInt8(value, where % data.length));
          expect(Array.isArray(await findingsOf(image))).toBe(true);
        }),
        { numRuns: 50 },
      );
    },
    patience,
  );

  test('a hundred findings of a rule are listed and the rest counted', async () => {
    const nodes = sampleNodes();
    const store = nodes.find(({ nid }) => nid === 0x21);
    if (store?.content.kind !== 'properties') throw new Error('The sample has no store.');
    for (let id = 0x4000; id < 0x4000 + 103; id++)
      store.content.properties.push({ ...binary(id, Buffer.alloc(3, 1)), type: 0x001f });
    store.content.properties.sort((left, right) => left.id - right.id);
    const findings = await findingsOf(buildPst(nodes));
    expect(findings).toHaveLength(101);
    expect(findings.at(-1)?.message).toBe('3 more findings of this rule are not listed');
  });
});
