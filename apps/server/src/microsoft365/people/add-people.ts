import type { EngineJob, NewJob, SelectedItem } from '@keepwatch/connectors/ports/microsoft365-engine';
import { addPeopleToJob } from '@keepwatch/contract/microsoft365/protection';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { change } from '../../audit/change.ts';
import { conflict, notFound } from '../../foundation/errors.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { askEngine } from '../engine/ask-engine.ts';
import type { OpenEngine } from '../engine/open-engine.ts';
import { refusing } from '../engine-refusal.ts';
import { requireUnchanged } from '../jobs/job-version.ts';
import { findJob } from '../jobs/jobs.ts';
import { requireStillThere } from '../jobs/required-parts.ts';
import { peopleToAdd } from './reasons.ts';

/** Of all that a job names. */
const ITEMS_MAX = 10_000;

/** The call that adds people who are not backed up to a job. */
export function addPeople(open: OpenEngine): Route {
  return answer(addPeopleToJob, async (context, { params: { jobId }, body }) => {
    const { database, scope } = context;
    const { organizationId, reason } = body;
    const read = await findJob(database, scope, jobId, organizationId);
    if (read === null) throw notFound('m365 job');
    const found = await peopleToAdd(database, scope, { organizationId, jobId, reason });
    if (found.length === 0) return { data: { people: 0 } };
    const engine = await open(database, { providerId: scope.providerId, id: organizationId });
    const job = withPeople(
      await askEngine(context, engine, (asked, signal) => asked.job(jobId, signal)),
      found,
      reason,
    );
    const store = await askEngine(context, engine, (asked, signal) => asked.changeJob(jobId, job, false, signal));
    await change(context, { kind: 'm365-job', id: jobId }, async (connection) => {
      await requireUnchanged(connection, scope, read, ADD_AGAIN);
      const before = await findJob(connection, scope, jobId, organizationId);
      if (before === null) return null;
      await requireStillThere(connection, scope, { id: jobId, organizationId, job });
      await refusing(() => store(connection));
      const after = { selectedCount: job.selected.length, excludedCount: job.excluded.length };
      const { name, selectedCount, excludedCount } = before;
      const shown = { name, selectedCount, excludedCount };
      return { result: null, before: shown, after: { name, ...after }, live: ['m365-jobs.changed'] };
    });
    return { data: { people: found.length } };
  });
}

/** The job with these people: chosen where no job has them, and in any case no longer left out. @throws Refusal 409 for more items than a job may name */
function withPeople(
  job: EngineJob,
  people: Awaited<ReturnType<typeof peopleToAdd>>,
  reason: CallInput<typeof addPeopleToJob>['body']['reason'],
): NewJob {
  const ids = new Set(people.map(({ id }) => id));
  const excluded = job.excluded.filter(({ type, id }) => type !== 'User' || !ids.has((id ?? '').toLowerCase()));
  const selected = reason === 'no-job' ? [...job.selected, ...people.map(itemOf)] : job.selected;
  if (selected.length > ITEMS_MAX) throw conflict(tooManyText(job.name));
  return { ...newJobOf(job), selected, excluded };
}

/** A job without what its runs have left. */
function newJobOf({ id: _id, nextRunAt: _next, lastSession: _last, restorePoints: _points, ...job }: EngineJob) {
  return job;
}

/** All that a person has. */
const itemOf = ({ id, name }: { id: string; name: string }): SelectedItem => ({
  ...{ type: 'User', id, name, mailbox: true, archiveMailbox: true, oneDrive: true },
  ...{ sites: false, personalSite: true, teams: true },
});

const ADD_AGAIN = 'Look at the job as it is now, and add them again.';

const tooManyText = (name: string) =>
  `"${name}" would have more than ${ITEMS_MAX.toLocaleString('en-US')} items. Let it back up the whole organization instead.`;
