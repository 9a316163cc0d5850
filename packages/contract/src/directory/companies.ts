import * as z from 'zod/mini';
import { DATA_SOURCE_GROUPS } from '../runs/values.ts';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { emailAddress, flag, id, instant, oneOrMore, text } from '../wire/fields.ts';
import { itemOf, listOf } from '../wire/replies.ts';

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

/** A company with its key facts at a glance. */
export const companyRow = entity(
  'CompanyWithJobs',
  z.extend(company, {
    jobs: z.int(),
    disabledJobs: z.int(),
    failed: z.int(),
    warning: z.int(),
    didntRun: z.int(),
    pending: z.int(),
    lastRunAt: z.nullable(instant),
    backupSizeBytes: z.int(),
  }),
);
export type CompanyRow = z.infer<typeof companyRow>;

export const listCompanies = declareCall({
  method: 'GET',
  path: '/companies',
  access: 'common.companies',
  ...listOf(companyRow, {
    sorts: ['name', 'jobs', 'failed', 'warning', 'didntRun', 'pending', 'lastRunAt', 'backupSizeBytes'],
    query: {
      search: z.optional(text(200)),
      isActive: z.optional(flag),
      ids: z.optional(oneOrMore(id)),
      /** Only companies that have jobs; with `source` jobs of these sources. */
      withJobs: z.optional(flag),
      source: z.optional(oneOrMore(z.enum(DATA_SOURCE_GROUPS))),
    },
    also: {
      /** Jobs that belong to no company: with them all companies add up to what the dashboard counts. */
      withoutCompany: z.optional(z.object({ jobs: z.int(), backupSizeBytes: z.int() })),
    },
  }),
  failure: 'Error while getting the company. Try again later.',
  summary: 'Companies with the state of their jobs.',
});

export const getCompany = declareCall({
  method: 'GET',
  path: '/companies/{id}',
  access: 'common.companies',
  params: z.strictObject({ id }),
  ...itemOf(companyRow),
  failure: 'Error while getting the company. Try again later.',
  summary: 'One company.',
});

export const createCompany = declareCall({
  method: 'POST',
  path: '/companies',
  access: 'common.companies',
  audit: 'company.create',
  body: z.strictObject({
    name: text(200).check(
      z.overwrite((name) => name.trim().replace(/\s+/g, ' ')),
      z.minLength(1, 'must have at least 1 character'),
    ),
    email: z.optional(emailAddress),
    phone: z.optional(text(60)),
  }),
  ...itemOf(company),
  failure: 'Error while adding the company. Try again later.',
  summary: 'Adds a company that no console knows.',
});

/** A company as filters and look-ups need it: its name, and its ids in the consoles of vendors. */
const companyReference = entity(
  'CompanyReference',
  z.object({
    _id: id,
    name: z.string(),
    vacId: z.nullable(z.string()),
    vcdId: z.nullable(z.string()),
    zertoId: z.nullable(z.string()),
    users: z.optional(z.array(z.object({ _id: id, name: z.string(), email: z.string() }))),
  }),
);

export const listReportingCompanies = declareCall({
  method: 'GET',
  path: '/reporting/companies',
  access: ['monitoring.companies-filter', 'common.companies'],
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
