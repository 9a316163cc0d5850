import type { DirectoryEntry } from './directory.ts';
import { directoryBytes, directoryOf, ENTRY_BYTES } from './directory.ts';
import type { Storage, Stream } from './storage.ts';
import { isStream } from './storage.ts';

const SECTOR_BYTES = 512;
const MINI_SECTOR_BYTES = 64;
/** Smaller streams share sectors in the mini stream. */
const MINI_LIMIT = 4_096;
const ENTRIES_PER_SECTOR = SECTOR_BYTES / 4;
/** Places for allocation table sectors in the header, and in each sector that continues it. */
const HEADER_PLACES = 109;
const PLACES_PER_SECTOR = ENTRIES_PER_SECTOR - 1;
const END_OF_CHAIN = 0xfffffffe;
const FREE = 0xffffffff;
const TABLE_SECTOR = 0xfffffffd;
const TABLE_LIST_SECTOR = 0xfffffffc;
/** Version 3 stores sizes in 31 bits. */
export const MOST_FILE_BYTES = 0x7fffffff;

interface Layout {
  entries: DirectoryEntry[];
  miniStreams: Stream[];
  largeStreams: Stream[];
  tableSectors: number;
  listSectors: number;
  directorySectors: number;
  miniTableSectors: number;
  miniSectors: number;
  /** Sectors after the header. */
  totalSectors: number;
}

/**
 * A compound file, [MS-CFB] version 3, from first byte to last. As all lengths are known before, tables can come first and contents
 * pass through: a 2 GB attachment needs no more memory than a small one.
 */
export async function* compoundFile(root: Storage): AsyncGenerator<Uint8Array> {
  const layout = layOut(root);
  yield header(layout);
  yield allocationTable(layout);
  yield tableList(layout);
  yield directoryBytes(layout.entries, SECTOR_BYTES);
  yield miniTable(layout);
  yield* contents(layout.miniStreams, MINI_SECTOR_BYTES);
  yield Buffer.alloc(padding(layout.miniSectors * MINI_SECTOR_BYTES, SECTOR_BYTES));
  yield* contents(layout.largeStreams, SECTOR_BYTES);
}

async function* contents(streams: readonly Stream[], unit: number): AsyncGenerator<Uint8Array> {
  for (const stream of streams) {
    yield* stream.content();
    yield Buffer.alloc(padding(stream.sizeBytes, unit));
  }
}

function sectors(bytes: number, unit = SECTOR_BYTES): number {
  return Math.ceil(bytes / unit);
}

function padding(bytes: number, unit: number): number {
  return sectors(bytes, unit) * unit - bytes;
}

function layOut(root: Storage): Layout {
  const entries = directoryOf(root);
  const streams = entries.map(({ entry }) => entry).filter(isStream);
  const miniStreams = streams.filter(({ sizeBytes }) => sizeBytes > 0 && sizeBytes < MINI_LIMIT);
  const largeStreams = streams.filter(({ sizeBytes }) => sizeBytes >= MINI_LIMIT);
  const miniSectors = miniStreams.reduce((sum, { sizeBytes }) => sum + sectors(sizeBytes, MINI_SECTOR_BYTES), 0);
  const directorySectors = sectors(entries.length * ENTRY_BYTES);
  const miniTableSectors = sectors(miniSectors, ENTRIES_PER_SECTOR);
  const contentSectors = largeStreams.reduce((sum, { sizeBytes }) => sum + sectors(sizeBytes), 0);
  const others = directorySectors + miniTableSectors + sectors(miniSectors * MINI_SECTOR_BYTES) + contentSectors;
  const { tableSectors, listSectors } = tableSizes(others);
  const totalSectors = others + tableSectors + listSectors;
  if ((totalSectors + 1) * SECTOR_BYTES > MOST_FILE_BYTES) {
    throw new RangeError('The item is larger than an MSG file can be (2 GiB); write it into a PST.');
  }
  const layout: Layout = {
    entries,
    miniStreams,
    largeStreams,
    tableSectors,
    listSectors,
    directorySectors,
    miniTableSectors,
    miniSectors,
    totalSectors,
  };
  place(layout);
  return layout;
}

/** The allocation table covers itself, so its size is approached from below. */
function tableSizes(others: number): { tableSectors: number; listSectors: number } {
  let tableSectors = 0;
  let listSectors = 0;
  for (;;) {
    const needed = sectors(others + tableSectors + listSectors, ENTRIES_PER_SECTOR);
    const list = sectors(Math.max(0, needed - HEADER_PLACES), PLACES_PER_SECTOR);
    if (needed === tableSectors && list === listSectors) {
      return { tableSectors, listSectors };
    }
    tableSectors = needed;
    listSectors = list;
  }
}

function directoryStart(layout: Layout): number {
  return layout.tableSectors + layout.listSectors;
}

/** Sets the first sector of every stream. */
function place(layout: Layout): void {
  const places = new Map<Storage | Stream, number>();
  let mini = 0;
  for (const stream of layout.miniStreams) {
    places.set(stream, mini);
    mini += sectors(stream.sizeBytes, MINI_SECTOR_BYTES);
  }
  const miniStart = directoryStart(layout) + layout.directorySectors + layout.miniTableSectors;
  let large = miniStart + sectors(layout.miniSectors * MINI_SECTOR_BYTES);
  for (const stream of layout.largeStreams) {
    places.set(stream, large);
    large += sectors(stream.sizeBytes);
  }
  for (const item of layout.entries) {
    item.startSector = places.get(item.entry) ?? (isStream(item.entry) ? END_OF_CHAIN : 0);
  }
  const root = layout.entries[0];
  if (root) {
    root.startSector = layout.miniSectors > 0 ? miniStart : END_OF_CHAIN;
    root.sizeBytes = layout.miniSectors * MINI_SECTOR_BYTES;
  }
}

function header(layout: Layout): Buffer {
  const bytes = Buffer.alloc(SECTOR_BYTES);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(0x3e, 24);
  bytes.writeUInt16LE(3, 26);
  bytes.writeUInt16LE(0xfffe, 28);
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt16LE(6, 32);
  bytes.writeUInt32LE(layout.tableSectors, 44);
  bytes.writeUInt32LE(directoryStart(layout), 48);
  bytes.writeUInt32LE(MINI_LIMIT, 56);
  bytes.writeUInt32LE(
    layout.miniTableSectors > 0 ? directoryStart(layout) + layout.directorySectors : END_OF_CHAIN,
    60,
  );
  bytes.writeUInt32LE(layout.miniTableSectors, 64);
  bytes.writeUInt32LE(layout.listSectors > 0 ? layout.tableSectors : END_OF_CHAIN, 68);
  bytes.writeUInt32LE(layout.listSectors, 72);
  for (let index = 0; index < HEADER_PLACES; index += 1) {
    bytes.writeUInt32LE(index < layout.tableSectors ? index : FREE, 76 + index * 4);
  }
  return bytes;
}

/** Which sector follows which. Everything is in one piece, so it is the next one until a stream ends. */
function allocationTable(layout: Layout): Buffer {
  const table = Buffer.alloc(layout.tableSectors * SECTOR_BYTES, 0xff);
  let sector = 0;
  const mark = (count: number, value: number) => {
    for (const end = sector + count; sector < end; sector += 1) {
      table.writeUInt32LE(value, sector * 4);
    }
  };
  const chain = (count: number) => {
    for (const end = sector + count; sector < end; sector += 1) {
      table.writeUInt32LE(sector + 1 === end ? END_OF_CHAIN : sector + 1, sector * 4);
    }
  };
  mark(layout.tableSectors, TABLE_SECTOR);
  mark(layout.listSectors, TABLE_LIST_SECTOR);
  chain(layout.directorySectors);
  chain(layout.miniTableSectors);
  chain(sectors(layout.miniSectors * MINI_SECTOR_BYTES));
  for (const stream of layout.largeStreams) {
    chain(sectors(stream.sizeBytes));
  }
  return table;
}

/** Where the allocation table's sectors are, beyond those the header has room for. */
function tableList(layout: Layout): Buffer {
  const list = Buffer.alloc(layout.listSectors * SECTOR_BYTES, 0xff);
  for (let index = HEADER_PLACES; index < layout.tableSectors; index += 1) {
    const place = index - HEADER_PLACES;
    list.writeUInt32LE(index, Math.floor(place / PLACES_PER_SECTOR) * SECTOR_BYTES + (place % PLACES_PER_SECTOR) * 4);
  }
  for (let sector = 0; sector < layout.listSectors; sector += 1) {
    const next = sector + 1 < layout.listSectors ? layout.tableSectors + sector + 1 : END_OF_CHAIN;
    list.writeUInt32LE(next, (sector + 1) * SECTOR_BYTES - 4);
  }
  return list;
}

function miniTable(layout: Layout): Buffer {
  const table = Buffer.alloc(layout.miniTableSectors * SECTOR_BYTES, 0xff);
  let sector = 0;
  for (const { sizeBytes } of layout.miniStreams) {
    for (const end = sector + sectors(sizeBytes, MINI_SECTOR_BYTES); sector < end; sector += 1) {
      table.writeUInt32LE(sector + 1 === end ? END_OF_CHAIN : sector + 1, sector * 4);
    }
  }
  return table;
}
