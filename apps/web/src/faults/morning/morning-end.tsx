import { Button } from '@mantine/core';
import { useState } from 'react';
import { nameOfJob } from '../../entities/job-name.ts';
import { notReadText, useStoppedSources } from '../../entities/stopped-sources.data.ts';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { CopyField } from '../../kit/copy-field.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatDuration } from '../../kit/format/durations.ts';
import { formatCounted } from '../../kit/format/numbers.ts';
import { useClock } from '../../kit/portal.tsx';
import { useShortcut } from '../../kit/shortcuts/use-shortcut.ts';
import type { FaultEdits } from '../edits/use-fault-edits.ts';
import { type FaultFilter, useFaultCount } from '../faults.data.ts';
import styles from './morning-end.module.css';
import { deedTexts, endTitle, handledCount, mailOf, missingTexts, reportText } from './report.ts';
import { countsOf } from './session.ts';
import type { Morning } from './use-morning.ts';

interface MorningEndProps {
  morning: Morning;
  edits: FaultEdits;
  filter: FaultFilter;
  onLeave: () => void;
}

/** Nothing is left to decide: what was done, who is on what, and a text for the team. */
export function MorningEnd({ morning, edits, filter, onLeave }: MorningEndProps) {
  const { session, faults, unread } = morning;
  const clock = useClock();
  const { timeZone } = useBackupClock();
  const [endedAt] = useState(() => clock.now());
  const at = formatDateTime(endedAt.toISOString(), timeZone).split(' ').slice(1).join(' ');
  const duration = formatDuration(endedAt.getTime() - session.startedAtMs);
  // What was decided is so, whether the list knows it yet or not.
  const open = faults.filter(({ _id }) => !['resolved', 'ignored', 'gone'].includes(morning.deeds.get(_id) ?? ''));
  const notRead = notReadText(useStoppedSources(filter), timeZone);
  const ending = { session, at, duration, open, unread, notRead };
  const report = reportText(ending);
  const title = endTitle(ending);
  const { skipped } = countsOf(session);
  const { edit, undoLast } = edits;
  const healed = useFaultCount({ ...filter, state: ['healed'] }) ?? 0;
  const resolveHealed = () =>
    void edit({
      target: { ids: [], causes: [], isHealed: true, count: healed, name: null },
      change: { state: 'resolved' },
    });
  useShortcut('z', 'Undo the last change', undoLast);
  useShortcut('k', 'Back', morning.back);
  useShortcut('h', 'Resolve all that is healed', resolveHealed, healed === 0);
  useShortcut('Enter', 'Back to the queue', onLeave);
  const inProgress = open.filter(({ state }) => state === 'in-progress');
  const elsewhere = morning.ofOthers.filter(({ state }) => state === 'pending').length;
  return (
    <div className={styles.end}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.sum}>
        {handledCount(session) === 0
          ? 'Nothing was left to decide.'
          : `${formatCounted(handledCount(session), 'fault', 'faults')} handled in ${duration}: ${deedTexts(session).join(', ')}.`}
      </p>
      {missingTexts(ending).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {elsewhere > 0 && (
        <p>{`${formatCounted(elsewhere, 'fault is', 'faults are')} open to colleagues at this moment.`}</p>
      )}
      {inProgress.length > 0 && (
        <section className={styles.inProgress} aria-label="In progress">
          <h3>In progress</h3>
          <ul>
            {inProgress.map((fault) => (
              <li key={fault._id}>
                {nameOfJob(fault)}: <strong>{fault.changedBy ?? 'not known'}</strong>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className={styles.actions}>
        <Button title="Back to the queue (Enter)" onClick={onLeave}>
          Back to the queue
        </Button>
        {skipped > 0 && (
          <Button variant="default" onClick={morning.again}>
            {`Go through ${formatCounted(skipped, 'skipped fault', 'skipped faults')}`}
          </Button>
        )}
        {healed > 0 && (
          <Button variant="default" title="Resolve all that is healed (h)" onClick={resolveHealed}>
            {`Resolve ${formatCounted(healed, 'healed fault', 'healed faults')}`}
          </Button>
        )}
        <Button component="a" variant="default" href={mailOf(title, report)}>
          Send by mail
        </Button>
      </div>
      <CopyField label="Report" text={report} />
    </div>
  );
}
