import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { flag, id, oneOrMore, text } from '../wire/fields.ts';
import { listOf } from '../wire/replies.ts';

const applications = z.object({
  vac: z.object({ id: z.nullable(z.string()) }),
  vcd: z.object({ id: z.nullable(z.string()) }),
  zerto: z.object({ id: z.nullable(z.string()) }),
});

export const company = entity(
  'Company',
  z.object({
    _id: id,
    name: z.string(),
    email: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    isActive: z.boolean(),
    isManaged: z.boolean(),
    serviceProvider: z.nullable(z.string()),
    applications,
  }),
);
export type Company = z.infer<typeof company>;

/** A company as filters and look-ups need it: its name, and its ids in the consoles of vendors. */
const companyReference = entity(
  'CompanyReference',
  z.object({
    _id: id,
    name: z.string(),
    vacId: z.nullable(z.string()),
    vcdId: z.nullable(z.string()),
    zertoId: z.nullable(z.string()),
    /** The people limited to it whom the caller may see; for callers who may list users, when asked. */
    users: z.optional(z.array(z.object({ _id: id, name: z.string(), email: z.string() }))),
  }),
);

export const listReportingCompanies = declareCall({
  method: 'GET',
  path: '/reporting/companies',
  access: ['monitoring.companies-filter', 'common.companies', 'o365.organizations'],
  ...listOf(companyReference, {
    sorts: ['name'],
    query: {
      search: z.optional(text(200)),
      ids: z.optional(oneOrMore(id)),
      vacId: z.optional(text(100)),
      vcdId: z.optional(text(100)),
      zertoId: z.optional(text(100)),
      users: z.optional(flag),
    },
    also: { query: z.object({ limit: z.int(), offset: z.int() }) },
  }),
  failure: 'Error while getting the company. Try again later.',
  summary: 'Companies for filters and look-ups, by name or by their id in a vendor console.',
});

export const listServiceProviders = declareCall({
  method: 'GET',
  path: '/reporting/service-providers',
  access: 'monitoring.reporting',
  ...listOf(z.object({ _id: z.string(), name: z.string(), companies: z.int() }), {
    query: { search: z.optional(text(200)) },
  }),
  failure: 'Error while trying to get the service providers, try again later.',
  summary: 'The provider itself and its sub-providers.',
});
