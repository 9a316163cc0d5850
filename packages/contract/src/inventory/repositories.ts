import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { day, id, instant, oneOrMore, range, text } from '../wire/fields.ts';
import { itemOf, listOf } from '../wire/replies.ts';

/** A place where backups are stored, with how full it is and when it will be full at this growth. */
export const repository = entity(
  'Repository',
  z.object({
    _id: id,
    name: z.string(),
    companyId: z.nullable(id),
    companyName: z.nullable(z.string()),
    kind: z.nullable(z.string()),
    serverName: z.nullable(z.string()),
    path: z.nullable(z.string()),
    status: z.nullable(z.string()),
    capacityBytes: z.nullable(z.int()),
    freeBytes: z.nullable(z.int()),
    usedBytes: z.nullable(z.int()),
    /** 0 to 1; `null` where the capacity is not known or has no end. */
    usedRatio: z.nullable(z.number()),
    /** Growth of the last 30 days, by least squares; `null` with fewer than 3 days of history. */
    growthBytesPerDay: z.nullable(z.int()),
    /** When it is full at that rate; `null` if it does not grow or only after more than a year. */
    fullAt: z.nullable(instant),
    readAt: instant,
  }),
);
export type Repository = z.infer<typeof repository>;

const failure = 'Error while trying to get the repositories, try again later.';
const access = ['monitoring.repositories', 'monitoring.dashboard'] as const;

export const listRepositories = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/repositories',
  access,
  ...listOf(repository, {
    sorts: ['usedRatio', 'fullAt', 'name', 'companyName', 'freeBytes'],
    query: { companyIds: z.optional(oneOrMore(id)), search: z.optional(text(200)) },
  }),
  failure,
  summary: 'Repositories with fill level and forecast; fullest first unless sorted.',
});

const dayUsage = entity(
  'RepositoryDay',
  z.object({ day, capacityBytes: z.int(), usedBytes: z.int(), freeBytes: z.int() }),
);

export const getRepositoriesTrend = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/repositories/trend',
  access,
  query: z.strictObject({ ...range, companyIds: z.optional(oneOrMore(id)) }),
  ...itemOf(z.array(dayUsage)),
  failure,
  summary: 'All repositories together, by day.',
});

export const getRepositoryHistory = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/repositories/history',
  access,
  query: z.strictObject({ ...range, repositoryId: id }),
  ...itemOf(z.array(dayUsage)),
  failure: 'Error while trying to get the repository history, try again later.',
  summary: 'One repository by day.',
});
