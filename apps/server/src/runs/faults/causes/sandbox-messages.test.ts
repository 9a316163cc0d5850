import { endedAttempts } from '@keepwatch/sandbox/world/history';
import type { Job } from '@keepwatch/sandbox/world/job';
import { contradictions, failures, repositoryFull, warnings } from '@keepwatch/sandbox/world/messages';
import type { Attempt } from '@keepwatch/sandbox/world/runs';
import { slotsBetween } from '@keepwatch/sandbox/world/schedule';
import { conditionAt, isEnabled } from '@keepwatch/sandbox/world/trouble';
import { allJobs, buildWorld } from '@keepwatch/sandbox/world/world';
import { expect, it } from 'vitest';
import { TEST_NOW } from '../../../testing/test-now.ts';
import type { Cause, FaultJob, FaultRun } from './cause.ts';
import { causeOf } from './cause-of.ts';

const SEED = 1;
const DAY_MS = 86_400_000;
const NOW_MS = TEST_NOW.getTime();
const TEXTS = [...Object.values(failures).flat(), ...Object.values(warnings).flat(), ...contradictions, repositoryFull];

/** Which of the texts of the sandbox a message is. */
const PATTERNS = TEXTS.map((text) => {
  const parts = text.split(/\{\w+\}/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return { text, pattern: new RegExp(`^${parts.join('.*')}$`, 's') };
});
const familyOf = (message: string) => PATTERNS.find(({ pattern }) => pattern.test(message))?.text ?? message;

function factsOf(job: Job): FaultJob {
  return {
    jobInstanceUid: job.uid,
    sourceId: 'the console',
    companyId: job.company?.uid ?? null,
    jobName: job.name,
    companyName: job.company?.name ?? null,
    serverName: job.product === 'agent' ? job.agent.name : job.server.name,
    targetName: job.repository?.name ?? null,
  };
}

/** The open fault of a job that ran in the last two days, by its last run. */
function openFaultOf(job: Job): FaultRun | null {
  const attempts = endedAttempts(job, NOW_MS - 2 * DAY_MS, NOW_MS, NOW_MS);
  const last = [...Map.groupBy(attempts, ({ slot }) => slot).values()].at(-1)?.at(-1);
  const missed = slotsBetween(job.schedule, NOW_MS - 2 * DAY_MS, NOW_MS - DAY_MS / 2).at(-1);
  if (missed !== undefined && missed > (last?.slot ?? 0) && isEnabled(job, missed) && conditionAt(job, missed).isMissed)
    return { kind: 'missed', message: null, anomalies: [], job: factsOf(job) };
  return last === undefined ? null : faultOf(job, last);
}

function faultOf(job: Job, attempt: Attempt): FaultRun | null {
  const { result } = attempt;
  const message = attempt.message ?? null;
  if (result === 'Success' && message === null) return null;
  const kind = result === 'Failed' ? 'failed' : result === 'Warning' ? 'warning' : 'doubtful';
  return { kind, message, anomalies: kind === 'doubtful' ? ['contradiction'] : [], job: factsOf(job) };
}

it('makes one cause of each message of the sandbox that names nothing at fault, and joins no two', () => {
  const faults = allJobs(buildWorld(SEED, 60)).flatMap((job) => openFaultOf(job) ?? []);
  const found = faults.map((fault) => ({ fault, cause: causeOf(fault) }));
  const lines = [...Map.groupBy(found, ({ cause }) => cause.key).values()].map((all) => lineOf(all));
  console.log(`${faults.length} open faults of two days, ${lines.length} causes`);
  for (const { jobs, why, subject, families } of lines.toSorted((one, other) => other.jobs - one.jobs))
    console.log(`${jobs} ${why} ${subject ?? ''} ${families.join(' | ')}`);
  const ofMessage = lines.filter(({ why }) => why === 'message').map(({ families }) => families);
  expect(ofMessage.filter((families) => families.length !== 1)).toEqual([]);
  expect(new Set(ofMessage.flat()).size).toBe(ofMessage.length);
  const failed = new Set(found.flatMap(({ fault, cause }) => (fault.kind === 'failed' ? [cause.key] : [])));
  expect(failed.size).toBeLessThanOrEqual(30);
});

function lineOf(all: readonly { fault: FaultRun; cause: Cause }[]) {
  const families = [...new Set(all.map(({ fault }) => familyOf(fault.message ?? '')))];
  const [first] = all;
  return { jobs: all.length, why: first?.cause.why, subject: first?.cause.subject ?? null, families };
}
