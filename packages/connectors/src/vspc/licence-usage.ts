import { z } from 'zod';
import type { Read, SourceLicenceUsage } from '../ports/backup-source.ts';
import type { VspcClient } from './client.ts';
import { amount, optionalUid, text, uid } from './fields.ts';
import type { Listing } from './listing.ts';
import { list } from './listing.ts';

/** Units can be fractions: a workstation is a third of a server's licence. */
const units = z.number().min(0, 'must not be negative');

/** OrganizationCurrentLicenseUsage, as far as it is read. */
const usageSchema = z.object({
  organizationUid: uid,
  servers: z.array(
    z.object({
      serverUid: optionalUid,
      workloads: z.array(
        z.object({
          description: z.string().min(1),
          unitType: text,
          usedCount: amount,
          usedUnits: units,
          newUnits: units,
          rentalUnits: units,
        }),
      ),
    }),
  ),
});

const usage: Listing<SourceLicenceUsage[]> = {
  entity: 'licence usage',
  path: 'licensing/usage/organizations',
  idField: 'organizationUid',
  read: (raw) => {
    const { organizationUid, servers } = usageSchema.parse(raw);
    return servers.flatMap((server) =>
      server.workloads.map((workload) => ({
        companyExternalId: organizationUid,
        serverExternalId: server.serverUid,
        workload: workload.description,
        unitType: workload.unitType,
        usedCount: workload.usedCount,
        usedUnits: workload.usedUnits,
        newUnits: workload.newUnits,
        rentalUnits: workload.rentalUnits,
      })),
    );
  },
};

/** What each organization uses of each licence now, a line a workload and server. */
export async function* listLicenceUsage(
  client: VspcClient,
  signal: AbortSignal,
): AsyncIterable<Read<SourceLicenceUsage>> {
  for await (const read of list(client, usage, signal)) {
    if ('failed' in read) yield read;
    else for (const value of read.value) yield { value };
  }
}
