import * as z from 'zod/mini';
import type { Ability } from '../abilities.ts';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, nameText } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';

export const HIT_KINDS = ['company', 'job', 'organization', 'm365-job', 'user'] as const;
export type HitKind = (typeof HIT_KINDS)[number];

/** Who finds what: the abilities of the screens on which it opens. */
export const FINDS: Readonly<Record<HitKind, readonly Ability[]>> = {
  company: ['common.companies', 'monitoring.companies-filter', 'o365.organizations'],
  job: ['monitoring.daily-checks'],
  organization: ['o365.organizations'],
  'm365-job': ['o365.jobs'],
  user: ['monitoring.users', 'o365.users'],
};

/** Most hits of one kind. */
export const HITS_MAX = 6;

/** Something whose name has the text in it. */
export const hit = entity(
  'SearchHit',
  z.object({
    kind: z.enum(HIT_KINDS),
    _id: id,
    name: z.string(),
    /** The company that a job or an organization belongs to. */
    companyName: z.nullable(z.string()),
    /** Of a user: the user name. Of a job of Microsoft 365: its organization. */
    detail: z.nullable(z.string()),
  }),
);
export type Hit = z.infer<typeof hit>;

export const search = declareCall({
  method: 'GET',
  path: '/search',
  access: [
    'common.companies',
    'monitoring.companies-filter',
    'monitoring.daily-checks',
    'monitoring.users',
    'o365.organizations',
    'o365.jobs',
    'o365.users',
  ],
  query: z.strictObject({ text: nameText(100) }),
  ...itemOf(z.array(hit)),
  failure: 'The search failed, try again later.',
  summary: 'Companies, jobs, organizations and users by name, a few of each kind that the caller may open.',
});
