import { z } from 'zod';
import { EngineError } from '../../model/engine-error.ts';
import { byJob, type JobExpiry } from '../../model/expiry.ts';
import { ITEM_KINDS, type Segment, type StoredContent } from '../../model/items.ts';
import { OBJECT_FLAGS, SKIP_CAUSES } from '../../model/outcome.ts';
import { OBJECT_KINDS } from '../../model/protected-object.ts';
import type {
  Commit,
  KnownCommit,
  ObjectChange,
  ObjectSection,
  PackDamage,
  RunEnd,
  RunHeader,
  StoredPack,
} from '../commit.ts';

/** Lines of a journal with their members (format, 6 and 7): parsed once, here. */
export type Line = { type: string; [member: string]: unknown };

const instant = z.iso.datetime().transform((text) => new Date(text));
const range = z.tuple([z.string(), z.int().nonnegative(), z.int().positive()]);
const segment = z.union([
  range,
  z.object({ base64: z.int().positive(), end: z.enum(['crlf', 'lf']), of: z.array(range) }),
]);
const content = z.object({
  name: z.string(),
  sizeBytes: z.int().nonnegative(),
  segments: z.array(segment).optional(),
  list: z.array(segment).optional(),
});
const details = z.looseObject({});
const put = z.object({
  item: z.string(),
  kind: z.enum(ITEM_KINDS),
  parent: z.string().nullable(),
  name: z.string(),
  sizeBytes: z.number().nonnegative(),
  modifiedAt: instant.nullable(),
  details,
  contents: z.array(content),
});
const lost = z.object({
  item: z.string(),
  kind: z.enum(ITEM_KINDS),
  name: z.string(),
  parent: z.string().nullable(),
  reason: z.string(),
});
const cursor = z.object({ scope: z.string(), value: z.string().nullable() });
const erased = z.object({
  by: z.string(),
  reason: z.string(),
  items: z.int().nonnegative(),
  bytes: z.number().nonnegative(),
});
const itemOnly = z.object({ item: z.string() });
const header = z.object({
  kind: z.enum(['backup', 'prune', 'verify', 'erase']),
  job: z.string(),
  jobName: z.string(),
  organization: z.string(),
  startedAt: instant,
  keepDays: z.int().nonnegative().nullable().optional(),
  follows: z.array(z.tuple([z.string(), z.int().positive()])).default([]),
});
const expired = z.object({
  before: instant.nullable(),
  jobs: z.record(z.string(), z.record(z.string(), instant)).default({}),
});
const damaged = z.object({ pack: z.string().regex(/^[0-9a-f]{64}$/), chunks: z.array(z.string()) });
const section = z.object({
  key: z.string(),
  organization: z.string(),
  kind: z.enum(OBJECT_KINDS),
  id: z.string(),
  name: z.string(),
  owner: z.string().nullable(),
  address: z.string().nullable(),
  revision: z.int().positive(),
  at: instant,
});
const pack = z.object({
  name: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.int().positive(),
  chunks: z.array(z.tuple([z.string(), z.int(), z.int(), z.int(), z.int(), z.int().optional()])),
});
const counts = z.object({
  objects: z.int(),
  objectsFailed: z.int(),
  itemsRead: z.int(),
  itemsRemoved: z.int(),
  itemsLost: z.int(),
  itemsSkipped: z.int(),
  bytesRead: z.int(),
  bytesStored: z.int(),
});
const ofObject = { objectKey: z.string().optional() };
const lostItem = z.object({
  ...ofObject,
  id: z.string(),
  kind: z.enum(ITEM_KINDS),
  name: z.string(),
  parentId: z.string().nullable(),
  reason: z.string(),
  objectName: z.string(),
});
const findings = z.object({
  failures: z.array(z.object({ ...ofObject, objectName: z.string().nullable(), message: z.string() })),
  lost: z.array(lostItem),
  skipped: z.array(
    z.object({ ...ofObject, objectName: z.string(), id: z.string(), name: z.string(), cause: z.enum(SKIP_CAUSES) }),
  ),
  alerts: z.array(z.object({ ...ofObject, code: z.string(), message: z.string() })),
  objects: z.record(z.string(), z.enum(OBJECT_FLAGS)).optional(),
  unknown: z.array(z.string()).optional(),
  formerSites: z.record(z.string(), z.string()).optional(),
  storeSkewMs: z.number().optional(),
});
const end = z.object({
  outcome: z.enum(['Success', 'Warning', 'Failed', 'Stopped']),
  finishedAt: instant,
  counts,
  objects: z.array(z.tuple([z.string(), z.int()])),
  findings,
});

function parsed<Out>(schema: z.ZodType<Out>, line: Line, place: string): Out {
  const result = schema.safeParse(line);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new EngineError(
    'damaged',
    `A line '${line.type}' of ${place} is not what the format says: ${issue?.path.join('.')} ${issue?.message}.`,
  );
}

/** @returns `null` for a line of another type */
export function readChange(line: Line, place: string): ObjectChange | null {
  if (line.type === 'put') return readPut(line, place);
  if (line.type === 'remove' || line.type === 'found') return { type: line.type, ...parsed(itemOnly, line, place) };
  if (line.type === 'cursor') return { type: 'cursor', ...parsed(cursor, line, place) };
  if (line.type === 'erased') return { type: 'erased', ...parsed(erased, line, place) };
  if (line.type !== 'lost') return null;
  const { item, parent, ...rest } = parsed(lost, line, place);
  return { type: 'lost', item: { id: item, parentId: parent, ...rest } };
}

function readPut(line: Line, place: string): ObjectChange {
  const { item, parent, contents, ...rest } = parsed(put, line, place);
  return {
    type: 'put',
    item: { id: item, parentId: parent, ...rest, contents: contents.map((one) => readContent(one, place)) },
  };
}

function readContent({ name, sizeBytes, segments, list }: z.infer<typeof content>, place: string): StoredContent {
  const where: { segments: readonly Segment[] } | { list: readonly Segment[] } | null = segments
    ? { segments }
    : list
      ? { list }
      : null;
  if (where === null || !isContentName(name))
    throw new EngineError('damaged', `The content '${name}' in ${place} has no location.`);
  return { name, sizeBytes, ...where };
}

function isContentName(name: string): name is StoredContent['name'] {
  return /^(?:properties|mime|export|file)$|^(?:versions|attachments|hosted)\/.+/s.test(name);
}

export function changeLine(change: ObjectChange): Line {
  if (change.type === 'put') {
    const { id, parentId, kind, name, sizeBytes, modifiedAt, details: shown, contents } = change.item;
    return { type: 'put', item: id, kind, parent: parentId, name, sizeBytes, modifiedAt, details: shown, contents };
  }
  if (change.type === 'erased') return { ...change };
  if (change.type !== 'lost') return change;
  const { id, kind, name, parentId, reason } = change.item;
  return { type: 'lost', item: id, kind, name, parent: parentId, reason };
}

export function expiredLine(before: Date | null, jobs: readonly JobExpiry[]): Line {
  return {
    type: 'expired',
    before: before?.toISOString() ?? null,
    ...(jobs.length === 0 ? {} : { jobs: byJob(jobs) }),
  };
}

export function readExpired(line: Line, place: string): Pick<Commit, 'expiredBefore' | 'expiredJobs'> {
  const { before, jobs } = parsed(expired, line, place);
  const ofOrganization = ([organizationId, instants]: [string, Record<string, Date>]): JobExpiry[] =>
    Object.entries(instants).map(([job, instant]) => ({ organizationId, job, before: instant }));
  return { expiredBefore: before, expiredJobs: Object.entries(jobs).flatMap(ofOrganization) };
}

export function headerLine(
  { kind, job, jobName, organizationId, startedAt, keepDays }: RunHeader,
  follows: readonly KnownCommit[],
  program: string,
): Line {
  const who = { kind, job, jobName, organization: organizationId };
  return { type: 'run', ...who, startedAt: startedAt.toISOString(), program, follows, keepDays };
}

export function readHeader(line: Line, id: string, place: string): RunHeader & { follows: readonly KnownCommit[] } {
  const { organization, keepDays, ...rest } = parsed(header, line, place);
  return { id, organizationId: organization, ...rest, ...(keepDays === undefined ? {} : { keepDays }) };
}

export function readSection(line: Line, place: string): Omit<ObjectSection, 'changes'> {
  const { organization, ...rest } = parsed(section, line, place);
  return { organizationId: organization, ...rest };
}

export function readPack(line: Line, place: string): StoredPack {
  const { chunks, ...rest } = parsed(pack, line, place);
  const entries = chunks.map(([id, offset, storedBytes, plainBytes, compression, groupStart]) => ({
    id,
    offset,
    storedBytes,
    plainBytes,
    isCompressed: compression === 1,
    ...(groupStart === undefined ? {} : { groupStart }),
  }));
  return { ...rest, chunks: entries };
}

export function readDamage(line: Line, place: string): PackDamage {
  return parsed(damaged, line, place);
}

export function endLine({ finishedAt, ...rest }: RunEnd): Line {
  return { type: 'end', finishedAt: finishedAt.toISOString(), ...rest };
}

export function readEnd(line: Line, place: string): RunEnd {
  return parsed(end, line, place);
}
