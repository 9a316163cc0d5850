import { z } from 'zod';
import type { SourceCompany } from '../ports/backup-source.ts';
import { text, uid } from './fields.ts';
import type { Listing } from './listing.ts';

/** Company with its embedded Organization. */
const companySchema = z.object({
  instanceUid: uid,
  name: z.string().min(1),
  status: z.string(),
  _embedded: z.object({ organization: z.object({ email: text, phone: text }).nullish() }).nullish(),
});

export const companies: Listing<SourceCompany> = {
  entity: 'company',
  path: 'organizations/companies',
  query: { expand: 'Organization' },
  read: (raw) => {
    const company = companySchema.parse(raw);
    return {
      externalId: company.instanceUid,
      name: company.name,
      isActive: company.status === 'Active',
      email: company._embedded?.organization?.email ?? null,
      phone: company._embedded?.organization?.phone ?? null,
    };
  },
};
