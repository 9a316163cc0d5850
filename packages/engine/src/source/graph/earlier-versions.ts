import { isDeepStrictEqual } from 'node:util';
import { counted } from '../../model/counted.ts';
import type { StoredItem } from '../../model/items.ts';
import type { ProtectedObject } from '../../model/protected-object.ts';
import type { SourceEvent } from '../source.ts';
import { ranToTheDay, stillAsks } from './asking-jobs.ts';
import { cursorText, type DeltaCursor, readCursor } from './delta/delta-cursor.ts';
import { objectOf } from './json.ts';
import type { Reading } from './reader.ts';

/** How many earlier versions the items of a scope are stored with. */
export interface VersionLimit {
  max: number;
  /** The smaller limit that they were read by before: items with as many may have more. `null`: they have what `max` asks for. */
  before: number | null;
}

/** The cursor with the limits of the jobs of an object, where one of them has any, and when each ran last, to the day. */
const JOBS = 'earlier-versions';
/** In a scope's cursor: the limit by which all of it was read. Absent: by none. */
const READ_BY = 'earlierVersions';

interface AskingJob {
  /** `null`: all. */
  limit: number | null;
  ranMs: number;
}

/**
 * The most that any job of the object asks for: jobs share what is stored of it, and what one leaves out no other would come back to. Yields what
 * the next run is to know of the jobs.
 */
export function* versionsAsked({ connection, request, options }: Reading): Generator<SourceEvent, number> {
  const own = options.earlierVersions ?? Number.POSITIVE_INFINITY;
  const stored = jobsIn(request.cursors.get(JOBS));
  const jobs = askingJobs(stored, request.job ?? '', own, connection.serverNow());
  const isLimited = [...jobs.values()].some(({ limit }) => limit !== null);
  const value = isLimited ? JSON.stringify(Object.fromEntries(jobs)) : null;
  const isNews = isLimited ? !isDeepStrictEqual(jobs, stored) : stored.size > 0;
  if (isNews) yield { type: 'cursor', scope: JOBS, value };
  return Math.max(own, ...[...jobs.values()].map(({ limit }) => limit ?? Number.POSITIVE_INFINITY));
}

function jobsIn(text: string | undefined): Map<string, AskingJob> {
  const jobs = Object.entries(objectOf(JSON.parse(text ?? '{}')));
  return new Map(
    jobs.map(([job, one]) => {
      const { limit, ranMs } = objectOf(one);
      return [job, { limit: typeof limit === 'number' ? limit : null, ranMs: Number(ranMs) }];
    }),
  );
}

function askingJobs(
  stored: ReadonlyMap<string, AskingJob>,
  job: string,
  own: number,
  nowMs: number,
): Map<string, AskingJob> {
  const jobs = new Map([...stored].filter(([, { ranMs }]) => stillAsks(ranMs, nowMs)));
  const limit = Number.isFinite(own) ? own : null;
  return jobs.set(job, { limit, ranMs: ranToTheDay(jobs.get(job)?.ranMs, nowMs) });
}

/** @param from where the scope goes on; `null`: it begins */
export function limitOf(from: DeltaCursor | null, max: number): VersionLimit {
  const readBy = from?.memory?.[READ_BY];
  return { max, before: readBy !== undefined && Number(readBy) < max ? Number(readBy) : null };
}

/** Where a scope goes on: from its start where items may have more versions than are stored. */
export function startOf(from: DeltaCursor | null, { before }: VersionLimit): DeltaCursor | null {
  return from === null || before === null ? from : { ...from, phase: 'rescan', link: null };
}

/** An event of a scope whose cursor remembers by which limit it was read. One that starts over has not caught up before its end. */
export function withLimit(event: SourceEvent, { max, before }: VersionLimit): SourceEvent {
  if (event.type !== 'cursor' || event.value === null) return event;
  const cursor = readCursor(event.value);
  const readBy = cursor?.phase === 'rescan' ? (before ?? max) : max;
  if (cursor === null || !Number.isFinite(readBy)) return event;
  return { ...event, value: cursorText({ ...cursor, memory: { ...cursor.memory, [READ_BY]: String(readBy) } }) };
}

/** Whether an item that is stored may have earlier versions that are not. */
export function mayHaveMore({ before }: VersionLimit, { contents }: Pick<StoredItem, 'contents'>): boolean {
  return before !== null && contents.filter(({ name }) => name.startsWith('versions/')).length >= before;
}

/** Counts earlier versions that were listed and are not read, since no job of the object asks for as many. */
export class LeftOutVersions {
  private items = 0;
  private versions = 0;

  add(versions: number): void {
    if (versions > 0) this.items += 1;
    this.versions += versions;
  }

  /** @param noun for an item, such as `file` */
  *alerts({ name }: Pick<ProtectedObject, 'name'>, noun: string, max: number): Generator<SourceEvent> {
    if (this.items === 0) return;
    const message = `Of ${counted(this.items, noun)} of ‘${name}’ that changed, ${counted(this.versions, 'earlier version')} or more were left out: the job asks for the newest ${max} of each.`;
    yield { type: 'alert', alert: { code: 'earlier-versions-left-out', message } };
  }
}
