import type { Fault } from '@keepwatch/contract/faults/faults';
import { KIND_WORDS } from '../../entities/faults/fault-texts.ts';
import { nameOfJob } from '../../entities/job-name.ts';
import { formatCounted } from '../../kit/format/numbers.ts';
import { hasRestorePoint, withoutFineHint } from '../fault-texts.ts';
import { countsOf, type Deed, type Session } from './session.ts';

const WORDS: Readonly<Record<Deed, string>> = {
  resolved: 'resolved',
  ignored: 'ignored',
  'in-progress': 'in progress',
  noted: 'noted',
  skipped: 'skipped',
  gone: 'settled by others',
};

/** `50 resolved`, `10 ignored`: what was done, in the order of its weight. */
export function deedTexts(session: Session): string[] {
  const counts = countsOf(session);
  return (['resolved', 'ignored', 'in-progress', 'noted', 'skipped', 'gone'] as const)
    .filter((deed) => counts[deed] > 0)
    .map((deed) => `${counts[deed]} ${WORDS[deed]}`);
}

/** How many faults were worked on, by deeds that are not a skip. */
export function handledCount(session: Session): number {
  const { resolved, ignored, noted, 'in-progress': inProgress } = countsOf(session);
  return resolved + ignored + noted + inProgress;
}

interface Ending {
  session: Session;
  /** `08:41 AM`. */
  at: string;
  /** `9m 12s`. */
  duration: string;
  /** What is open at the end: in progress, and still pending. */
  open: readonly Fault[];
  /** Faults that are open beyond those. */
  unread: number;
  /** Why faults may be there that are not known; `null`: all sources were read. */
  notRead: string | null;
}

/** `All clear at 08:41 AM`; with faults that are still pending `3 faults left at 08:41 AM`. */
export function endTitle({ open, unread, notRead, at }: Omit<Ending, 'session' | 'duration'>): string {
  const left = open.filter(({ state }) => state === 'pending').length + unread;
  if (left > 0) return `${formatCounted(left, 'fault', 'faults')} left at ${at}`;
  return notRead === null ? `All clear at ${at}` : `No open faults at ${at}`;
}

/** What the list of open faults does not have. */
export function missingTexts({ unread, notRead }: Pick<Ending, 'unread' | 'notRead'>): string[] {
  const faults = `${formatCounted(unread, 'more fault is', 'more faults are')} open than can be gone through at once.`;
  return [...(unread === 0 ? [] : [faults]), ...(notRead === null ? [] : [notRead])];
}

/** What can be sent to the team. */
export function reportText(ending: Ending): string {
  const { session, duration, open } = ending;
  const handled = formatCounted(handledCount(session), 'fault', 'faults');
  const deeds = deedTexts(session).join(', ');
  const inProgress = open.filter(({ state }) => state === 'in-progress');
  const pending = open.filter(({ state }) => state === 'pending');
  return [
    `${endTitle(ending)}: ${handled} handled in ${duration}${deeds === '' ? '' : ` (${deeds})`}.`,
    ...missingTexts(ending),
    ...section(
      'In progress',
      inProgress.map((fault) => `${nameOfJob(fault)}: ${fault.changedBy ?? 'not known'}`),
    ),
    ...section(
      'Open',
      pending.map((fault) => `${nameOfJob(fault)}: ${stateOf(fault)}`),
    ),
  ].join('\n');
}

function stateOf(fault: Fault): string {
  const hint = withoutFineHint(fault.daysWithoutFine, hasRestorePoint(fault));
  return `${KIND_WORDS[fault.kind]}. ${hint}.`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `- ${line}`)];
}

/** Mail programs refuse longer addresses. */
const MAILTO_MAX = 1_800;

/** The address that opens a new mail with the report. What does not fit is cut at the end of a line. */
export function mailOf(subject: string, report: string): string {
  const lines = report.split('\n');
  const address = () =>
    `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(lines.join('\n').toWellFormed())}`;
  if (address().length <= MAILTO_MAX) return address();
  while (lines.length > 1 && address().length > MAILTO_MAX - 10) lines.pop();
  lines.push('…');
  return address();
}
