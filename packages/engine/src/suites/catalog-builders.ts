import { createHash } from 'node:crypto';
import type { StoredItem } from '../model/items.ts';
import { NO_COUNTS } from '../model/outcome.ts';
import {
  type Commit,
  emptyCommit,
  type ObjectChange,
  type ObjectSection,
  type RunEnd,
  type RunHeader,
  type StoredPack,
} from '../repository/commit.ts';

export const DAY_MS = 86_400_000;
/** The day of a number, so that order and distance are seen in a test. */
export const day = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * DAY_MS);

/** The id of the chunk of a number. */
export const chunk = (number: number) => createHash('md5').update(`chunk ${number}`).digest('base64url');
/** The name of the pack of a number. */
export const packName = (number: number) => createHash('sha256').update(`pack ${number}`).digest('hex');

export function buildItem(id: string, over: Partial<StoredItem> = {}): StoredItem {
  return {
    id,
    kind: 'message',
    parentId: 'inbox',
    name: `Subject of ${id}`,
    sizeBytes: 100,
    modifiedAt: day(0),
    details: {},
    contents: [{ name: 'properties', sizeBytes: 10, segments: [[chunk(1), 0, 10]] }],
    ...over,
  };
}

export function buildFolder(id: string, over: Partial<StoredItem> = {}): StoredItem {
  return buildItem(id, { kind: 'mail-folder', parentId: null, name: id, sizeBytes: 0, contents: [], ...over });
}

export const put = (item: StoredItem): ObjectChange => ({ type: 'put', item });
export const remove = (item: string): ObjectChange => ({ type: 'remove', item });

export function buildSection(
  revision: number,
  changes: readonly ObjectChange[],
  over: Partial<ObjectSection> = {},
): ObjectSection {
  return {
    key: 'ada',
    organizationId: 'contoso',
    kind: 'mailbox',
    id: `user-${over.key ?? 'ada'}`,
    name: 'Ada Lovelace',
    owner: null,
    address: 'ada@contoso.example',
    at: day(revision),
    ...over,
    revision,
    changes,
  };
}

export function buildPack(number: number, chunks: readonly number[]): StoredPack {
  return {
    name: packName(number),
    sizeBytes: 1_000,
    chunks: chunks.map((id, at) => ({
      id: chunk(id),
      offset: 24 + 100 * at,
      storedBytes: 100,
      plainBytes: 300,
      isCompressed: true,
    })),
  };
}

/** The same with all chunks in one group of 100 stored bytes, each longer than the one before by `step` plain bytes. */
export function buildGroupedPack(number: number, chunks: readonly number[], step = 0): StoredPack {
  let groupStart = 0;
  const grouped = chunks.map((id, at) => {
    const plainBytes = 300 + at * step;
    const entry = { id: chunk(id), offset: 24, storedBytes: 100, plainBytes, isCompressed: true, groupStart };
    groupStart += plainBytes;
    return entry;
  });
  return { name: packName(number), sizeBytes: 1_000, chunks: grouped };
}

export function buildHeader(run: string, over: Partial<RunHeader> = {}): RunHeader {
  return {
    id: run,
    kind: 'backup',
    job: 'job-1',
    jobName: 'Nightly',
    organizationId: 'contoso',
    startedAt: day(0),
    ...over,
  };
}

export function buildEnd(objects: RunEnd['objects'], over: Partial<RunEnd> = {}): RunEnd {
  return {
    outcome: 'Success',
    finishedAt: day(1),
    counts: NO_COUNTS,
    objects,
    findings: { failures: [], lost: [], skipped: [], alerts: [] },
    ...over,
  };
}

/** A commit; the first of a run has its header. */
export function buildCommit(run: string, sequence: number, over: Partial<Commit> = {}): Commit {
  return { ...emptyCommit(run, sequence), header: sequence === 1 ? buildHeader(run) : null, ...over };
}

/** Everything a stream gives. */
export async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const given: Row[] = [];
  for await (const row of rows) given.push(row);
  return given;
}
