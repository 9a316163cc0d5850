import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { flag, id, instant, oneOrMore, text } from '../wire/fields.ts';
import { done, itemOf, listOf } from '../wire/replies.ts';

/** A computer that discovery found in a company's network. */
export const computer = entity(
  'Computer',
  z.object({
    _id: id,
    hostName: z.string(),
    fqdn: z.nullable(z.string()),
    companyId: z.nullable(id),
    companyName: z.nullable(z.string()),
    operatingSystem: z.nullable(z.string()),
    platform: z.nullable(z.string()),
    ipAddresses: z.array(z.string()),
    status: z.nullable(z.string()),
    agentInstallationStatus: z.nullable(z.string()),
    agentManagementStatus: z.nullable(z.string()),
    lastSeenAt: z.nullable(instant),
    isIgnored: z.boolean(),
    note: z.nullable(z.string()),
  }),
);
export type Computer = z.infer<typeof computer>;

const access = ['monitoring.daily-checks', 'monitoring.dashboard'] as const;
const filter = {
  companyIds: z.optional(oneOrMore(id)),
  search: z.optional(text(200)),
  /** Only computers that belong to no company. */
  withoutCompany: z.optional(flag),
  ignored: z._default(flag, false),
};

export const listComputers = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/discovery/computers',
  access,
  ...listOf(computer, {
    sorts: ['hostName', 'companyName', 'status', 'lastSeenAt'],
    query: {
      filter: z._default(z.strictObject({ ...filter, unprotected: z._default(flag, false) }), {
        ignored: false,
        unprotected: false,
      }),
    },
  }),
  failure: 'Error while trying to get the discovered computers, try again later.',
  summary: 'Computers found by discovery.',
});

export const getComputersStatus = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/discovery/computers/current',
  access,
  query: z.strictObject({ companyIds: z.optional(oneOrMore(id)) }),
  ...itemOf(
    z.object({ total: z.int(), withAgent: z.int(), withoutAgent: z.int(), offline: z.int(), ignored: z.int() }),
  ),
  failure: 'Error while trying to get the computer status, try again later.',
  summary: 'How many computers are found, have an agent, are offline, are ignored.',
});

export const unprotectedCompany = entity(
  'UnprotectedCompany',
  z.object({
    /** `null`: computers of no company. */
    companyId: z.nullable(id),
    companyName: z.nullable(z.string()),
    withoutAgent: z.int(),
    total: z.int(),
  }),
);
export type UnprotectedCompany = z.infer<typeof unprotectedCompany>;

export const listUnprotectedCompanies = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/discovery/computers/by-company',
  access,
  ...listOf(unprotectedCompany, { query: { companyIds: z.optional(oneOrMore(id)) } }),
  failure: 'Error while trying to get the computers of the companies, try again later.',
  summary: 'Companies with computers that have no agent, those with the most first.',
});

const params = z.strictObject({ id });

export const ignoreComputer = declareCall({
  method: 'POST',
  path: '/monitoring/backoffice/computers/{id}/ignore',
  access: 'monitoring.job-actions',
  audit: 'computer.ignore',
  params,
  ...done,
  failure: 'Error while trying to add the computer to the ignore, try again later.',
  summary: 'Leaves the computer out of the list.',
});

export const unignoreComputer = declareCall({
  method: 'DELETE',
  path: '/monitoring/backoffice/computers/{id}/ignore',
  access: 'monitoring.job-actions',
  audit: 'computer.unignore',
  params,
  ...done,
  failure: 'Error while trying to remove the computer to the ignore, try again later.',
  summary: 'Shows the computer again.',
});

export const noteComputer = declareCall({
  method: 'POST',
  path: '/monitoring/backoffice/computers/{id}/note',
  access: 'monitoring.job-actions',
  audit: 'computer.note',
  params,
  body: z.strictObject({ note: text(10_000) }),
  ...done,
  failure: 'Error while trying to add the note to the computer, try again later.',
  summary: 'Sets or (empty) removes the note of a computer.',
});
