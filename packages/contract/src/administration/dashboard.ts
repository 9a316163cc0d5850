import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { instant } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';

/** Within this time a certificate is about to expire. */
export const CERTIFICATE_DAYS = 30;
/** Certificates that are named; the first to expire. */
export const CERTIFICATES_MAX = 10;

/** A job of the queue of which runs failed. */
const failingJob = z.object({ name: z.string(), failed: z.int() });

const worker = z.object({
  name: z.string(),
  version: z.nullable(z.string()),
  isOnline: z.boolean(),
  running: z.nullable(z.int()),
  capacity: z.nullable(z.int()),
  seenAt: z.nullable(instant),
});

/** What all providers share: for those who run the installation. */
const installation = z.object({
  queue: z.object({ waiting: z.int(), running: z.int(), failed: z.int(), failing: z.array(failingJob) }),
  workers: z.array(worker),
  storage: z.object({
    databaseBytes: z.int(),
    /** Of the data folder; `null` where it is on no disk of the machine that answers. */
    disk: z.nullable(z.object({ freeBytes: z.int(), totalBytes: z.int() })),
  }),
  versions: z.object({ portal: z.string(), node: z.string(), database: z.string() }),
});

export const adminDashboard = entity(
  'AdminDashboard',
  z.object({
    /** Brands that the user looks after. */
    brands: z.int(),
    companies: z.int(),
    connections: z.object({ works: z.int(), failing: z.int(), untested: z.int(), off: z.int() }),
    /** Of applications at Microsoft; an expired one is among them. */
    certificates: z.array(
      z.object({
        companyId: z.string(),
        organizationId: z.string(),
        organizationName: z.string(),
        expiresAt: instant,
      }),
    ),
    /** `null` for those who look after one provider. */
    installation: z.nullable(installation),
  }),
);
export type AdminDashboard = z.infer<typeof adminDashboard>;
export type Installation = z.infer<typeof installation>;

export const getAdminDashboard = declareCall({
  method: 'GET',
  path: '/admin/dashboard',
  access: 'admin.dashboard',
  ...itemOf(adminDashboard),
  failure: 'The dashboard could not be read, try again later.',
  summary: 'What there is to look after: brands, companies, connections, certificates, and the installation itself.',
});
