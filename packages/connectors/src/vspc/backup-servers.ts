import { z } from 'zod';
import { optionalUid, uid } from './fields.ts';
import type { Listing } from './listing.ts';

export interface BackupServer {
  externalId: string;
  name: string;
  companyExternalId: string | null;
}

const serverSchema = z.object({ instanceUid: uid, name: z.string().min(1), organizationUid: optionalUid });

/** Backup servers by id: jobs and repositories name theirs by id only. */
export const backupServers: Listing<BackupServer> = {
  entity: 'backup server',
  path: 'infrastructure/backupServers',
  read: (raw) => {
    const server = serverSchema.parse(raw);
    return { externalId: server.instanceUid, name: server.name, companyExternalId: server.organizationUid };
  },
};

const agentSchema = z.object({ instanceUid: uid, name: z.string().min(1) });

/** Backup agents by id: their jobs name theirs by id only. */
export const backupAgents: Listing<{ externalId: string; name: string }> = {
  entity: 'backup agent',
  path: 'infrastructure/backupAgents',
  read: (raw) => {
    const agent = agentSchema.parse(raw);
    return { externalId: agent.instanceUid, name: agent.name };
  },
};
