import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexJobs } from '../../ports/jobs-of-name.ts';
import { uidOf } from '../../testing/console.ts';
import { buildJob, buildSession } from '../../testing/entities.ts';
import { matchJob } from './job-match.ts';

const other = { externalId: uidOf(2) };

describe('which job a session is of', () => {
  it('is certain for the only job of exactly that name in that organization', () => {
    const jobs = [
      buildJob(),
      buildJob({ ...other, name: 'Nightly 2' }),
      buildJob({ ...other, companyExternalId: uidOf(9) }),
    ];
    expect(matchJob(indexJobs(jobs), buildSession())).toMatchObject({ job: { externalId: uidOf(1) }, match: 'exact' });
  });

  it('is certain for the exact name though another differs in case only', () => {
    const jobs = [buildJob(), buildJob({ ...other, name: 'NIGHTLY' })];
    expect(matchJob(indexJobs(jobs), buildSession())).toMatchObject({ job: { externalId: uidOf(1) }, match: 'exact' });
  });

  it.each(['nightly', ' Nightly', 'NIGHTLY ', 'Nightly\u00a0'])('is doubtful when the job is called %j', (name) => {
    const found = matchJob(indexJobs([buildJob({ name })]), buildSession());
    expect(found).toMatchObject({ job: { externalId: uidOf(1) }, match: 'doubtful' });
  });

  it.each([
    ['another workload', { workloadType: 'User' }],
    ['another type of job', { jobType: 'Replication' }],
    ['another platform', { platformType: 'Microsoft365' }],
  ])('is doubtful when the session is of %s', (_, overrides) => {
    expect(matchJob(indexJobs([buildJob()]), buildSession(overrides)).match).toBe('doubtful');
  });

  it('is certain when the session says nothing of its kind', () => {
    const unspecified = { workloadType: 'Unknown', jobType: null, platformType: null };
    expect(matchJob(indexJobs([buildJob()]), buildSession(unspecified)).match).toBe('exact');
  });

  it('is not guessed among several of one name, exact or nearly', () => {
    expect(matchJob(indexJobs([buildJob(), buildJob(other)]), buildSession())).toMatchObject({
      job: null,
      match: 'none',
    });
    const near = [buildJob({ name: 'nightly' }), buildJob({ ...other, name: 'NIGHTLY' })];
    expect(matchJob(indexJobs(near), buildSession())).toMatchObject({ job: null, match: 'none' });
  });

  it('is none where nothing has the name, or only in another organization', () => {
    expect(matchJob(indexJobs([]), buildSession()).match).toBe('none');
    expect(matchJob(indexJobs([buildJob({ companyExternalId: uidOf(9) })]), buildSession()).match).toBe('none');
    expect(matchJob(indexJobs([buildJob({ companyExternalId: null })]), buildSession()).match).toBe('none');
  });

  it('knows an organization again whose id is written in capitals', () => {
    const companyExternalId = 'abcdef00-0000-4000-8000-000000000001';
    const session = buildSession({ companyExternalId: companyExternalId.toUpperCase() });
    expect(matchJob(indexJobs([buildJob({ companyExternalId })]), session).match).toBe('exact');
  });

  it('never puts a session on a job of another organization, whatever the names', () => {
    const name = fc.constantFrom('Nightly', 'nightly', 'Nightly ', 'Weekly', '__proto__', '["x"]');
    const company = fc.constantFrom(uidOf(1), uidOf(2), null);
    const job = fc.record({ name, companyExternalId: company });
    fc.assert(
      fc.property(fc.array(job), name, company, (jobs, jobName, companyExternalId) => {
        const built = jobs.map((overrides, id) => buildJob({ ...overrides, externalId: uidOf(id) }));
        const found = matchJob(indexJobs(built), buildSession({ jobName, companyExternalId }));
        expect(found.candidates.every((candidate) => candidate.companyExternalId === companyExternalId)).toBe(true);
        expect(found.match === 'none').toBe(found.job === null);
      }),
    );
  });
});
