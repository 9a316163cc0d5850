import { reportRun } from '@keepwatch/contract/tool-reports/tool-reports';
import type { Pool } from '../foundation/database.ts';
import { notFound } from '../foundation/errors.ts';
import type { PublicContext } from '../foundation/http/context.ts';
import type { Claimant } from '../foundation/http/places.ts';
import { ingestReports } from './ingest-reports.ts';
import { ReportQueue } from './report-queue.ts';
import { type KnownToken, TokenOwners } from './token-owners.ts';
import { UnknownTokens } from './unknown-tokens.ts';

/** State shared by all reports to this process. */
export interface ReportIntake {
  queue: ReportQueue;
  /**
   * Checks the token before the body of up to 8 MB is read: throws 404 for an unknown one and 429 for too many of them. Returns the
   * claimant against whom a large body counts.
   */
  admit(context: PublicContext, params: unknown): Promise<Claimant>;
  /** Returns the owner of a token. Throws 404 for a token that does not exist. */
  knownToken(token: string): Promise<KnownToken>;
  /** Clears the cache of owners. Must be called after a token is removed. */
  forgetOwners(): void;
}

export function openReportIntake(database: Pool): ReportIntake {
  const owners = new TokenOwners(database);
  const unknown = new UnknownTokens();
  return {
    queue: new ReportQueue((providerId, reports) => ingestReports(database, providerId, reports)),
    async admit({ address }, params) {
      // An invalid token counts as unknown too.
      const { token } = reportRun.params.safeParse(params).data ?? {};
      const known = token === undefined ? null : await owners.find(token);
      if (known !== null) return { group: String(known.owner.providerId), one: known.owner.companyId };
      unknown.count(address);
      throw notFound('intake token');
    },
    async knownToken(token) {
      const known = await owners.find(token);
      if (known === null) throw notFound('intake token');
      return known;
    },
    forgetOwners: () => owners.forget(),
  };
}
