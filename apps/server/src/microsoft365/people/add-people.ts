import type { SelectedItem } from '@keepwatch/connectors/ports/microsoft365-engine';
import { addPeopleToJob } from '@keepwatch/contract/microsoft365/protection';
import { change } from '../../audit/change.ts';
import { conflict } from '../../foundation/errors.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import type { OpenEngine } from '../engine/open-engine.ts';
import { refusing } from '../engine-refusal.ts';
import { findJob } from '../jobs/jobs.ts';
import { peopleToAdd } from './reasons.ts';

/** Of all that a job names. */
const ITEMS_MAX = 10_000;

/** Changes of the portal's own tables end with their transaction; nothing of them waits. */
const { signal } = new AbortController();

/** The call that adds people who are not backed up to a job. */
export function addPeople(open: OpenEngine): Route {
  return answer(addPeopleToJob, async (context, { params: { jobId }, body }) => {
    const { scope } = context;
    const { organizationId, reason } = body;
    const people = await change(context, { kind: 'm365-job', id: jobId }, async (connection) => {
      const before = await findJob(connection, scope, jobId, organizationId);
      if (before === null) return null;
      const found = await peopleToAdd(connection, scope, { organizationId, jobId, reason });
      if (found.length === 0) return { result: 0, isUnchanged: true };
      const engine = await open(connection, { providerId: scope.providerId, id: organizationId });
      const job = await engine.job(jobId, signal);
      const ids = new Set(found.map(({ id }) => id));
      const excluded = job.excluded.filter(({ type, id }) => type !== 'User' || !ids.has((id ?? '').toLowerCase()));
      const selected = reason === 'no-job' ? [...job.selected, ...found.map(itemOf)] : job.selected;
      if (selected.length > ITEMS_MAX) throw conflict(tooManyText(before.name));
      await refusing(() => engine.changeJob(jobId, { ...newJobOf(job), selected, excluded }, signal));
      const shown = { name: before.name, selectedCount: before.selectedCount, excludedCount: before.excludedCount };
      const after = { ...shown, selectedCount: selected.length, excludedCount: excluded.length };
      return { result: found.length, before: shown, after, live: ['m365-jobs.changed'] };
    });
    return { data: { people } };
  });
}

type StoredJob = Awaited<ReturnType<Awaited<ReturnType<OpenEngine>>['job']>>;

/** A job without what its runs have left. */
function newJobOf({ id: _id, nextRunAt: _next, lastSession: _last, restorePoints: _points, ...job }: StoredJob) {
  return job;
}

/** All that a person has. */
const itemOf = ({ id, name }: { id: string; name: string }): SelectedItem => ({
  ...{ type: 'User', id, name, mailbox: true, archiveMailbox: true, oneDrive: true },
  ...{ sites: false, personalSite: true, teams: true },
});

const tooManyText = (name: string) =>
  `"${name}" would have more than ${ITEMS_MAX.toLocaleString('en-US')} items. Let it back up the whole organization instead.`;
