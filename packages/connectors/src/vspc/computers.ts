import { z } from 'zod';
import type { SourceComputer } from '../ports/backup-source.ts';
import { text, uid } from './fields.ts';
import type { Listing } from './listing.ts';

/** DiscoveredComputer with its ComputerInfo. The console says neither whose it is nor when it was last seen. */
const computerSchema = z.object({
  instanceUid: uid,
  status: text,
  backupAgentInstallationStatus: text,
  backupAgentManagementStatus: text,
  info: z.object({
    hostName: z.string().min(1),
    fqdn: text,
    guestOs: text,
    platformType: text,
    ipAddresses: z.array(z.string()).nullish(),
  }),
});
