import { hash } from 'node:crypto';
import type { CauseReason } from '@keepwatch/contract/faults/values';
import { partsOfMessage } from '../../stored-message.ts';
import type { Cause, FaultJob, FaultRun } from './cause.ts';
import { type KnownFault, knownFault } from './known-faults.ts';
import { inOneLine, messageShape } from './message-shape.ts';

/**
 * Returns the cause of a fault from its last run. The same run always has the same cause: nothing is learned, nothing
 * is compared with other faults.
 */
export function causeOf(run: FaultRun): Cause {
  const { kind, job, anomalies } = run;
  if (kind === 'missed') return missed(job);
  const message = reasonIn(run);
  if (message !== null) return causeOfMessage(message, job);
  return kind === 'doubtful'
    ? cause('anomaly', job.jobName, job.jobInstanceUid, ...[...anomalies].sort())
    : cause('job', job.jobName, job.jobInstanceUid);
}

/** A message without a letter says nothing; that of a success only where it contradicts it. */
function reasonIn({ kind, message, anomalies }: FaultRun): string | null {
  if (message === null || !/\p{L}/u.test(message)) return null;
  const isReason =
    kind !== 'doubtful' || anomalies.some((anomaly) => anomaly === 'contradiction' || anomaly === 'no-restore-point');
  return isReason ? message : null;
}

/** What did not run is looked for on the server that should have begun it. */
function missed({ sourceId, serverName, jobName, jobInstanceUid }: FaultJob): Cause {
  return serverName === null
    ? cause('missed', jobName, jobInstanceUid)
    : cause('missed', serverName, sourceId, serverName.toLowerCase());
}

function causeOfMessage(message: string, job: FaultJob): Cause {
  const known = knownFault(inOneLine(message), job);
  const shape = () => comparable(message, job);
  if (known === null) return cause('message', null, shape());
  const { why, subject } = known;
  const reach = reachOf(known, job);
  return subject === null
    ? cause(why, null, ...reach, 'shape', shape())
    : cause(why, subject, ...reach, subject.toLowerCase());
}

/** Every customer has a DC01. A job of no company is alone. */
function reachOf({ reach }: KnownFault, { sourceId, serverName, companyId, jobInstanceUid }: FaultJob): string[] {
  if (reach === 'server') return [sourceId, serverName?.toLowerCase() ?? ''];
  return [reach === 'company' && companyId !== null ? companyId : jobInstanceUid];
}

function namesOf({ jobName, companyName, serverName, targetName }: FaultJob) {
  return [jobName, companyName, serverName, targetName];
}

/** Characters in which the compared parts of a cut message are counted: most shapes are as long as what is stored, which is no multiple. */
const CUT_STEP = 600;

/**
 * Where a message was cut is another word when a counter in it has one digit more: only whole steps of the shapes of its beginning and its
 * end are compared, each counted from there.
 */
function comparable(message: string, job: FaultJob): string {
  const names = namesOf(job);
  const parts = partsOfMessage(message);
  if (parts === null) return messageShape(message, names);
  const [beginning, end] = [messageShape(parts.beginning, names), messageShape(parts.end, names)];
  return [beginning.slice(0, wholeSteps(beginning)), end.slice(-wholeSteps(end))].join('\n');
}

function wholeSteps({ length }: string): number {
  return length < CUT_STEP ? length : length - (length % CUT_STEP);
}

function cause(why: CauseReason, subject: string | null, ...parts: string[]): Cause {
  return { key: hash('sha256', [why, ...parts].join('\u0000'), 'hex').slice(0, 32), why, subject };
}
