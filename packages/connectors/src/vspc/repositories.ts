import { z } from 'zod';
import type { Read, SourceRepository } from '../ports/backup-source.ts';
import { backupServers } from './backup-servers.ts';
import type { VspcClient } from './client.ts';
import { amount, optionalUid, text, uid } from './fields.ts';
import type { Listing } from './listing.ts';
import { list, readLookup } from './listing.ts';

/** BackupRepository; what it embeds is BackupRepositoryInfoType0 itself, without a name around it. */
const repositorySchema = z.object({
  instanceUid: uid,
  name: z.string().min(1),
  backupServerUid: optionalUid,
  _embedded: z
    .object({
      capacity: amount,
      isCapacityAvailable: z.boolean().nullish(),
      freeSpace: amount,
      isFreeSpaceAvailable: z.boolean().nullish(),
      usedSpace: amount,
      isUsedSpaceAvailable: z.boolean().nullish(),
      type: text,
      path: text,
      hostName: text,
      status: text,
    })
    .nullish(),
});

/** A repository belongs to the company that owns its backup server. */
export async function* listRepositories(
  client: VspcClient,
  signal: AbortSignal,
): AsyncIterable<Read<SourceRepository>> {
  const servers = await readLookup(client, backupServers, signal);
  yield* servers.failed;
  const repositories: Listing<SourceRepository> = {
    entity: 'repository',
    path: 'infrastructure/backupServers/repositories',
    query: { expand: 'BackupRepositoryInfo' },
    read: (raw) => {
      const repository = repositorySchema.parse(raw);
      const server = servers.byId.get(repository.backupServerUid ?? '');
      const info = repository._embedded;
      return {
        externalId: repository.instanceUid,
        name: repository.name,
        companyExternalId: server?.companyExternalId ?? null,
        kind: info?.type ?? null,
        serverName: info?.hostName ?? server?.name ?? null,
        path: info?.path ?? null,
        status: info?.status ?? null,
        // A size the console marks as not available is a leftover or 0, and neither is true.
        capacityBytes: info?.isCapacityAvailable === false ? null : (info?.capacity ?? null),
        freeBytes: info?.isFreeSpaceAvailable === false ? null : (info?.freeSpace ?? null),
        usedBytes: info?.isUsedSpaceAvailable === false ? null : (info?.usedSpace ?? null),
      };
    },
  };
  yield* list(client, repositories, signal);
}
