import { z } from 'zod';
import type { Read, SourceJob, SourceLogLine } from '../../ports/backup-source.ts';
import { backupServers } from '../backup-servers.ts';
import type { VspcClient } from '../client.ts';
import { amount, text, uid } from '../fields.ts';
import type { Listing } from '../listing.ts';
import { list, readLookup } from '../listing.ts';
import { backupServerJobSchema, sumOrNull, toJob } from './backup-server-job.ts';
import { backupServerJobs, FILE_TYPES } from './managed-servers.ts';

const FILE_SHARE_JOBS = 'infrastructure/backupServers/jobs/fileShareJobs';

/** BackupServerFileShareJob says little itself; name, status and runs are in the job it embeds. */
const fileShareJobSchema = z.object({
  instanceUid: uid,
  _embedded: z.object({ backupServerJob: backupServerJobSchema }),
});

/** BackupServerFileShareJobObject: one share of a job, with its last session. */
const shareSchema = z.object({
  jobUid: uid,
  name: text,
  lastSession: z
    .object({
      backupStatus: z.string().nullish(),
      backedUpFilesCount: amount,
      transferredSize: amount,
      messages: z.array(z.string()).nullish(),
    })
    .nullish(),
});
type Share = z.infer<typeof shareSchema>;

/** The last sessions of a job's shares, combined. */
interface Shares {
  processedFiles: number | null;
  transferredBytes: number | null;
  log: SourceLogLine[];
}

/** Jobs of file shares, and the other jobs of files: their copies, and files copied to servers and to tape. */
export async function* listFileShareJobs(client: VspcClient, signal: AbortSignal): AsyncIterable<Read<SourceJob>> {
  const servers = await readLookup(client, backupServers, signal);
  yield* servers.failed;
  const shares = new Map<string, Shares>();
  for await (const read of list(client, shareObjects, signal)) {
    if ('failed' in read) yield read;
    else collect(shares, read.value);
  }
  const serverNameOf = (serverUid: string | null) => servers.byId.get(serverUid ?? '')?.name ?? null;

  const fileShareJobs: Listing<SourceJob> = {
    entity: 'job',
    path: FILE_SHARE_JOBS,
    query: { expand: 'BackupServerJob' },
    read: (raw) => {
      const { instanceUid, _embedded } = fileShareJobSchema.parse(raw);
      const common = _embedded.backupServerJob;
      return toFileShareJob(common, instanceUid, serverNameOf(common.backupServerUid), shares.get(instanceUid), client);
    },
  };
  yield* list(client, fileShareJobs, signal);

  const otherFileJobs = backupServerJobs((job) => {
    if (job.type === 'BackupFile' || !FILE_TYPES.has(job.type)) return null;
    return toJob(job, { group: 'file-share-jobs', serverName: serverNameOf(job.backupServerUid) }, client.now());
  });
  yield* list(client, otherFileJobs, signal);
}

const shareObjects: Listing<Share> = {
  entity: 'job',
  path: `${FILE_SHARE_JOBS}/objects`,
  // A share has no id of its own, and can be in several jobs.
  idField: null,
  read: (raw) => shareSchema.parse(raw),
};

function collect(shares: Map<string, Shares>, share: Share): void {
  const session = share.lastSession;
  if (!session) return;
  const before = shares.get(share.jobUid) ?? { processedFiles: null, transferredBytes: null, log: [] };
  const level = session.backupStatus === 'Failed' ? 'error' : session.backupStatus === 'Warning' ? 'warning' : 'info';
  const object = share.name ? `${share.name}: ` : '';
  const lines = (session.messages ?? []).map((message): SourceLogLine => ({ at: null, level, text: object + message }));
  shares.set(share.jobUid, {
    processedFiles: sumOrNull([before.processedFiles, session.backedUpFilesCount]),
    transferredBytes: sumOrNull([before.transferredBytes, session.transferredSize]),
    log: [...before.log, ...lines],
  });
}

function toFileShareJob(
  common: z.infer<typeof backupServerJobSchema>,
  externalId: string,
  serverName: string | null,
  shares: Shares | undefined,
  client: VspcClient,
): SourceJob {
  const place = {
    group: 'file-share-jobs' as const,
    serverName,
    processedFiles: shares?.processedFiles ?? null,
    log: shares?.log ?? [],
  };
  const transferredData = common.transferredData ?? shares?.transferredBytes ?? null;
  return { ...toJob({ ...common, transferredData }, place, client.now()), externalId };
}
