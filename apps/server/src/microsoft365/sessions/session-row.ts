import type { JobSession as WireSession } from '@keepwatch/contract/microsoft365/jobs';
import { type SQL, sql } from 'drizzle-orm';
import type { SessionProgress } from '../session-progress.ts';

/** A run as stored. */
export interface SessionRow {
  id: string;
  jobId: string;
  startedAt: string;
  endedAt: string | null;
  result: WireSession['status'];
  stopAskedAt: string | null;
  message: string | null;
  progress: Partial<SessionProgress>;
  proxyName: string | null;
  restorePoint: string | null;
}

/** A run (alias `s`) as a JSON object, whose instants are texts of PostgreSQL's own form. */
export const SESSION_FIELDS: SQL = sql`s.id, s.job_id as "jobId", s.started_at as "startedAt", s.ended_at as "endedAt", s.result,
  s.stop_asked_at as "stopAskedAt", s.message, s.progress, s.restore_point as "restorePoint",
  (select w.name from m365_workers w where w.id = s.worker_id) as "proxyName"`;

/** Returns a run as calls answer it. */
export function wireSessionOf(row: SessionRow): WireSession {
  const { progress } = row;
  const total = progress.objectsTotal ?? null;
  const done = progress.objectsDone ?? 0;
  return {
    id: row.id,
    jobId: row.jobId,
    creationTime: isoText(row.startedAt),
    endTime: row.endedAt === null ? null : isoText(row.endedAt),
    status: row.result,
    isStopped: row.stopAskedAt !== null,
    details: row.message,
    progress: row.endedAt !== null ? 100 : total === null || total === 0 ? null : Math.floor((100 * done) / total),
    statistics: {
      processedObjects: done,
      objectsTotal: total,
      itemsRead: progress.itemsRead ?? 0,
      itemsLost: progress.itemsLost ?? 0,
      itemsSkipped: progress.itemsSkipped ?? 0,
      itemsRemoved: progress.itemsRemoved ?? 0,
      transferredDataBytes: progress.bytesRead ?? 0,
      storedBytes: progress.bytesStored ?? 0,
      processingRateBytesPS: progress.bytesPerSecond ?? null,
    },
    expectedEndTime: row.endedAt === null ? (progress.expectedEndAt ?? null) : null,
    proxyName: row.proxyName,
  };
}

/** Instants in JSON of the database have an offset instead of the Z of the wire. */
const isoText = (text: string) => new Date(text).toISOString();
