import type { AdminDashboard } from '@keepwatch/contract/administration/dashboard';
import { sql } from 'drizzle-orm';
import { type Connection, rows } from '../../foundation/database.ts';

/** Lists the organizations of a provider of which an application's certificate expires before an instant, those first that expire first. */
export function listExpiringCertificates(
  connection: Connection,
  providerId: number,
  until: Date,
  limit: number,
): Promise<AdminDashboard['certificates']> {
  return rows(
    connection,
    sql`select o.company_id as "companyId", o.id as "organizationId", o.name as "organizationName", min(a.certificate_expires_at) as "expiresAt"
        from m365_organizations o join m365_applications a on a.provider_id = o.provider_id and a.organization_id = o.id
        where o.provider_id = ${providerId} and a.certificate_expires_at < ${until}
        group by o.company_id, o.id, o.name order by 4, o.id limit ${limit}`,
  );
}
