import type { Ability } from '@keepwatch/contract/abilities';
import { ATTENTION_MAX, getAttention } from '@keepwatch/contract/attention/attention';
import { countPendingChecks } from '../executions/pending-checks.ts';
import { countOpenFaults } from '../faults/fault-list.ts';
import { may, type SignedInContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { countFailedJobs } from '../microsoft365/jobs/failed-jobs.ts';
import { countReadyDownloads } from '../restore/downloads/downloads.ts';
import { countUnmatchedRuns } from '../sources/unmatched-runs.ts';

/** What waits for the user, counted only as far as it is shown. */
export const attentionCalls: Route[] = [
  answer(getAttention, async (context) => {
    const { database, scope, actor, now } = context;
    const [checks, faults, unassigned, failedJobs, downloads] = await Promise.all([
      allowed(context, 'monitoring.daily-checks', () =>
        countPendingChecks(database, scope, { clock: actor.backupClock, now: now() }, ATTENTION_MAX),
      ),
      allowed(context, 'monitoring.daily-checks', () => countOpenFaults(database, scope, ATTENTION_MAX)),
      allowed(context, 'monitoring.sources', () => countUnmatchedRuns(database, scope, ATTENTION_MAX)),
      allowed(context, 'o365.jobs', () => countFailedJobs(database, scope, ATTENTION_MAX)),
      allowed(context, 'o365.restorePortal', () => countReadyDownloads(database, actor, now(), ATTENTION_MAX)),
    ]);
    return { data: { checks, faults, unassigned, failedJobs, downloads } };
  }),
];

async function allowed(
  { actor }: SignedInContext,
  ability: Ability,
  count: () => Promise<number>,
): Promise<number | undefined> {
  return may(actor, ability) ? count() : undefined;
}
