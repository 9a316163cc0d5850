import { z } from 'zod';
import { ConnectorError } from '../base/connector-error.ts';
import type { Read, SourceResult } from '../ports/backup-source.ts';
import type { VspcClient } from './client.ts';
import { amount, instant, optionalInstant, optionalUid, text, uid } from './fields.ts';
import { idOf, readEntity } from './listing.ts';
import { requireTrueTimes } from './run.ts';

/** A run as the heatmap shows it: with a session's id, but without the job's. */
export interface HeatmapSession {
  externalId: string;
  jobName: string;
  companyExternalId: string | null;
  startedAt: Date;
  endedAt: Date | null;
  durationS: number | null;
  /** `null`: the console does not say how it ended. */
  result: SourceResult | null;
  message: string | null;
  /** JobSessionHeatmapJobType, -WorkloadType and -PlatformType. */
  jobType: string | null;
  workloadType: string | null;
  platformType: string | null;
}

const heatmapReply = z.object({
  data: z.object({ dataPerDays: z.array(z.object({ sessions: z.array(z.unknown()).nullish() })).nullish() }),
  errors: z.array(z.object({ message: z.string() })).nullish(),
});

/** JobSessionHeatmapSession, as far as it is read. */
const sessionSchema = z.object({
  sessionUid: uid,
  jobName: z.string().min(1),
  organizationUid: optionalUid,
  startTime: instant,
  endTime: optionalInstant,
  duration: amount,
  result: z.string().nullish(),
  failureMessage: text,
  jobType: text,
  workloadType: text,
  platformType: text,
});

const DAY_MS = 24 * 3_600_000;
const RESULTS: readonly SourceResult[] = ['Success', 'Warning', 'Failed'];

/**
 * Sessions that began or ended from `from` up to, not including, `to`, each once, a day of UTC asked for at a time: a reply
 * has no pages, so the day bounds its size.
 */
export async function* readHeatmap(
  client: VspcClient,
  range: { from: Date; to: Date },
  signal: AbortSignal,
): AsyncIterable<Read<HeatmapSession>> {
  // A session over midnight is in two replies. Two days of ids are enough to know it again.
  let dayBefore = new Set<string>();
  // The heatmap files a session under the day it began, so what ended early on the first day is in the day before.
  const firstDayMs = Math.floor(range.from.getTime() / DAY_MS - 1) * DAY_MS;
  for (let dayMs = firstDayMs; dayMs < range.to.getTime(); dayMs += DAY_MS) {
    const day = new Set<string>();
    for (const raw of await readDay(client, dayMs, signal)) {
      const externalId = idOf(raw, 'sessionUid');
      if (externalId !== null && (day.has(externalId) || dayBefore.has(externalId))) continue;
      if (externalId !== null) day.add(externalId);
      const read = readEntity(
        { entity: 'execution', read: (value) => toSession(value, client.now()) },
        raw,
        externalId,
      );
      if (read && ('failed' in read || isInRange(read.value, range))) yield read;
    }
    dayBefore = day;
  }
}

export function isInRange(run: { startedAt: Date; endedAt: Date | null }, range: { from: Date; to: Date }): boolean {
  return [run.startedAt, run.endedAt].some((at) => at !== null && at >= range.from && at < range.to);
}

async function readDay(client: VspcClient, dayMs: number, signal: AbortSignal): Promise<unknown[]> {
  const query = { from: new Date(dayMs).toISOString(), to: new Date(dayMs + DAY_MS).toISOString() };
  const reply = heatmapReply.safeParse(await client.read('infrastructure/jobSessionHeatmap/', query, signal));
  if (!reply.success) throw new ConnectorError('bad-reply', `The console's heatmap of ${query.from} is not readable`);
  const [error] = reply.data.errors ?? [];
  // Which sessions are missing is unknown, so the day does not count as read.
  if (error)
    throw new ConnectorError('bad-reply', `The console's heatmap of ${query.from} is not whole: ${error.message}`);
  return (reply.data.data.dataPerDays ?? []).flatMap((day) => day.sessions ?? []);
}

function toSession(raw: unknown, now: Date): HeatmapSession {
  const session = sessionSchema.parse(raw);
  requireTrueTimes(session.startTime, session.endTime, now);
  return {
    externalId: session.sessionUid,
    jobName: session.jobName,
    companyExternalId: session.organizationUid,
    startedAt: session.startTime,
    endedAt: session.endTime,
    durationS: session.duration,
    result: RESULTS.find((result) => result === session.result) ?? null,
    message: session.failureMessage,
    jobType: session.jobType,
    workloadType: session.workloadType,
    platformType: session.platformType,
  };
}
