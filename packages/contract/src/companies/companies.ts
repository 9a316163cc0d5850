import * as z from 'zod/mini';
import { company } from '../directory/companies.ts';
import { DATA_SOURCE_GROUPS } from '../runs/values.ts';
import { declareCall, file, LIST_BODY_BYTES } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { emailAddress, flag, id, instant, nameText, oneOrMore, sortBy, text } from '../wire/fields.ts';
import { done, itemOf, listOf } from '../wire/replies.ts';

/** A company with its key facts at a glance. */
export const companyRow = entity(
  'CompanyWithJobs',
  z.extend(company, {
    jobs: z.int(),
    disabledJobs: z.int(),
    failed: z.int(),
    warning: z.int(),
    didntRun: z.int(),
    /** With an open fault whose last run is a success with an anomaly. */
    doubtful: z.int(),
    pending: z.int(),
    lastRunAt: z.nullable(instant),
    backupSizeBytes: z.int(),
  }),
);
export type CompanyRow = z.infer<typeof companyRow>;

/** A company as its page has it. */
export const companyDetail = entity(
  'CompanyDetail',
  z.extend(companyRow, {
    /** Open faults that are pending or in progress. */
    openFaults: z.object({ failed: z.int(), missed: z.int(), doubtful: z.int(), warning: z.int() }),
    /** Of its enabled jobs the one that has waited longest for a good restore point; `null` where none does. */
    longestWithoutFine: z.nullable(
      z.object({
        jobName: z.string(),
        /** Whole days since the last one; `null` where there never was one. */
        days: z.nullable(z.int()),
      }),
    ),
    /** Its links to connected consoles; none for users who are limited to companies. */
    links: z.array(
      z.object({
        connectionId: id,
        connectionName: z.string(),
        externalId: z.string(),
        /** Name and status come from it. */
        isReporting: z.boolean(),
      }),
    ),
  }),
);
export type CompanyDetail = z.infer<typeof companyDetail>;

/** `trouble`: by how many failed, then how many did not run, are doubtful, have a warning. */
const sorts = [
  'trouble',
  'name',
  'jobs',
  'failed',
  'warning',
  'didntRun',
  'doubtful',
  'pending',
  'lastRunAt',
  'backupSizeBytes',
] as const;

const companyFilter = {
  search: z.optional(text(200)),
  isActive: z.optional(flag),
  ids: z.optional(oneOrMore(id)),
  /** Only companies that have jobs; with `source` jobs of these sources. */
  withJobs: z.optional(flag),
  source: z.optional(oneOrMore(z.enum(DATA_SOURCE_GROUPS))),
};

export const listCompanies = declareCall({
  method: 'GET',
  path: '/companies',
  access: 'common.companies',
  ...listOf(companyRow, {
    sorts,
    query: companyFilter,
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
  ...itemOf(companyDetail),
  failure: 'Error while getting the company. Try again later.',
  summary: 'One company.',
});

const companyName = text(200).check(
  z.overwrite((name) => name.trim().replace(/\s+/g, ' ')),
  z.minLength(1, 'must have at least 1 character'),
);

export const createCompany = declareCall({
  method: 'POST',
  path: '/companies',
  access: 'common.companies',
  audit: 'company.create',
  body: z.strictObject({
    name: companyName,
    email: z.optional(emailAddress),
    phone: z.optional(text(60)),
  }),
  ...itemOf(company),
  failure: 'Error while adding the company. Try again later.',
  summary: 'Adds a company that no console knows.',
});

export const editCompany = declareCall({
  method: 'PUT',
  path: '/companies/{id}',
  access: 'common.companies',
  audit: 'company.edit',
  params: z.strictObject({ id }),
  body: z.strictObject({
    /** Name and status stay as they are where they are not given; e-mail and phone are then empty. */
    name: z.optional(companyName),
    email: z.optional(emailAddress),
    phone: z.optional(text(60)),
    isActive: z.optional(z.boolean()),
    isManaged: z.boolean(),
    /**
     * All links to connected consoles, at most one of each; without it they stay as they are. One that another company has is moved
     * from there if `movesFrom` is that company.
     */
    links: z.optional(
      z.array(z.strictObject({ connectionId: id, externalId: nameText(200), movesFrom: z.optional(id) })).check(
        z.maxLength(100),
        z.refine(
          (links) => new Set(links.map(({ connectionId }) => connectionId.toLowerCase())).size === links.length,
          'must name each console once',
        ),
      ),
    ),
  }),
  ...itemOf(company),
  failure: 'Error while editing the company. Try again later.',
  summary: 'Changes a company. Name and status of one that a console reports are changed there.',
});

export const deleteCompany = declareCall({
  method: 'DELETE',
  path: '/companies/{id}',
  access: 'common.companies',
  audit: 'company.delete',
  params: z.strictObject({ id }),
  body: z.strictObject({ reason: nameText(500) }),
  ...done,
  failure: 'Error while deleting the company. Try again later.',
  summary:
    'Deletes a company that no console reports. Its jobs and runs remain without a company; its tokens are refused.',
});

export const restoreCompany = declareCall({
  method: 'POST',
  path: '/companies/{id}/restore',
  access: 'common.companies',
  audit: 'company.restore',
  params: z.strictObject({ id }),
  ...done,
  failure: 'Error while restoring the company. Try again later.',
  summary: 'Undoes the deletion of a company.',
});

/** A company that was deleted, and can be restored. */
export const deletedCompany = entity(
  'DeletedCompany',
  z.object({
    _id: id,
    name: z.string(),
    deletedAt: instant,
    /** Who deleted it and why; `null` where that was not recorded. */
    deletedBy: z.nullable(z.string()),
    reason: z.nullable(z.string()),
  }),
);
export type DeletedCompany = z.infer<typeof deletedCompany>;

export const listDeletedCompanies = declareCall({
  method: 'GET',
  path: '/companies/deleted',
  access: 'common.companies',
  ...listOf(deletedCompany, { sorts: ['deletedAt', 'name'], query: { search: z.optional(text(200)) } }),
  failure: 'Error while getting the company. Try again later.',
  summary: 'Companies that were deleted: when, by whom and why.',
});

/** A company as a connected console has it. */
export const consoleCompany = entity(
  'ConsoleCompany',
  z.object({
    connectionId: id,
    connectionName: z.string(),
    isReporting: z.boolean(),
    externalId: z.string(),
    name: z.string(),
    isActive: z.boolean(),
    /** The company of the portal that it is linked to. */
    company: z.nullable(z.object({ _id: id, name: z.string() })),
  }),
);
export type ConsoleCompany = z.infer<typeof consoleCompany>;

/** Characters from which the connected consoles are searched. */
export const SEARCH_LENGTH_MIN = 2;

export const listConsoleCompanies = declareCall({
  method: 'GET',
  path: '/companies/vac',
  access: 'common.companies',
  /** A part of the name, an id or both. Every search reads the lists of all consoles, so one letter is not enough. */
  query: z.strictObject({
    name: z.optional(text(200).check(z.trim(), z.minLength(SEARCH_LENGTH_MIN))),
    id: z.optional(text(200)),
  }),
  ...itemOf(z.array(consoleCompany), {
    /** Consoles that did not answer, and why. */
    failed: z.array(z.object({ connectionName: z.string(), message: z.string() })),
  }),
  failure: 'Error while getting the company. Try again later.',
  summary: 'Looks companies up in the connected consoles, by a part of the name or by id; at most 50 of each console.',
});

export const exportCompanies = declareCall({
  method: 'POST',
  path: '/companies/export',
  access: 'common.companies',
  audit: 'company.export',
  body: z.strictObject({ format: z.literal('csv'), ...companyFilter, sort: sortBy(sorts) }),
  bodyBytesMax: LIST_BODY_BYTES,
  reply: file({ types: ['text/csv'] }),
  failure: 'Error while trying to export, try again later.',
  summary: 'The companies of the list as CSV, streamed; file Companies-{timestamp}.csv.',
});

export const exportCompanyJobs = declareCall({
  method: 'POST',
  path: '/companies/{id}/export',
  access: 'common.companies',
  audit: 'company.export-jobs',
  params: z.strictObject({ id }),
  body: z.strictObject({ format: z.literal('csv') }),
  reply: file({ types: ['text/csv'] }),
  failure: 'Error while trying to export, try again later.',
  summary:
    'The jobs of a company as CSV, with the open fault of each for users who may see faults; file CompanyJobs-{timestamp}.csv.',
});
