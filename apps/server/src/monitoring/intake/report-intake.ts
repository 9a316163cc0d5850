import { reportRun } from '@keepwatch/contract/monitoring/sources';
import type { Pool } from '../../foundation/database.ts';
import { notFound } from '../../foundation/errors.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import type { Claimant } from '../../foundation/http/places.ts';
import { ingestReports } from './ingest-reports.ts';
import { ReportQueue } from './report-queue.ts';
import { type KnownToken, TokenOwners } from './token-owners.ts';
import { UnknownTokens } from './unknown-tokens.ts';

/** What all reports that reach this process share. */
export interface ReportIntake {
  queue: ReportQueue;
  /**
   * Throws the 404 of an unknown token before the body is read, which may have 8 MB, and 429 for too many of them. Says by whom a
   * large body is counted.
   */
  admit(context: PublicContext, params: unknown): Promise<Claimant>;
  /** Throws 404 for a token that does not exist. */
  knownToken(token: string): Promise<KnownToken>;
  /** To be called when a token was removed. */
  forgetOwners(): void;
}

export function openReportIntake(database: Pool): ReportIntake {
  const owners = new TokenOwners(database);
  const unknown = new UnknownTokens();
  return {
    queue: new ReportQueue((providerId, reports) => ingestReports(database, providerId, reports)),
    async admit({ address }, params) {
      // What cannot be a token is unknown too.
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
