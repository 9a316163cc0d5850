import type { Changes } from '@keepwatch/contract/insights/changes';
import type { ReactNode } from 'react';
import { companies, dailyChecks, sources } from '../../entities/places.ts';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { DashboardPanel } from '../../kit/dashboard/dashboard-panel.tsx';
import { FigureButton } from '../../kit/figures/figure-button.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import { ScreenLink, useMayOpen } from '../../kit/screen-link.tsx';
import type { Subject } from '../dashboard/dashboard-filters.ts';
import type { Figure } from '../dashboard/figure-list.data.ts';
import { FigureList } from '../dashboard/figure-list.ts';
import { useChanges } from './changes.data.ts';
import styles from './changes.module.css';

/** What is different from the same time yesterday. Each figure opens the list of what it counts. */
export function ChangesPanel({ subject }: { subject: Subject }) {
  const reading = useChanges(subject);
  const { timeZone } = useBackupClock();
  const since = reading.data?.since ?? null;
  return (
    <DashboardPanel
      title="Since yesterday"
      note={since === null ? undefined : formatDateTime(since, timeZone)}
      columns={4}
      bodyPx={300}
      narrowBodyPx={272}
      reading={reading}
    >
      {(changes) => (
        <ul className={styles.changes}>
          <Faults changes={changes} of="newFaults" subject={subject} />
          <Faults changes={changes} of="healedFaults" subject={subject} />
          <Jobs changes={changes} subject={subject} />
          <Sources stopped={changes.stoppedSources} timeZone={timeZone} />
        </ul>
      )}
    </DashboardPanel>
  );
}

interface ChangeProps {
  changes: Changes;
  subject: Subject;
}

const FAULTS = {
  newFaults: { figure: 'new-faults', one: 'new fault', many: 'new faults', sort: '-failed' },
  healedFaults: { figure: 'healed-faults', one: 'healed fault', many: 'healed faults', sort: '-jobs' },
} as const satisfies Record<string, { figure: Figure; one: string; many: string; sort: `-${string}` }>;

function Faults({ changes, of, subject }: ChangeProps & { of: keyof typeof FAULTS }) {
  const { figure, one, many, sort } = FAULTS[of];
  const { count, names } = changes[of];
  const mayList = useMayOpen(dailyChecks);
  const text = <Count count={count} one={one} many={many} />;
  return (
    <Change kind={of} count={count} about={namesText(count, names)}>
      {mayList ? (
        <Listed figure={figure} since={changes.since} subject={subject}>
          {text}
        </Listed>
      ) : (
        <ScreenLink className={styles.link} to={companies.at({ sort })}>
          {text}
        </ScreenLink>
      )}
    </Change>
  );
}

function Jobs({ changes: { since, newJobs }, subject }: ChangeProps) {
  const { count, names } = newJobs;
  return (
    <Change kind="newJobs" count={count} about={namesText(count, names)}>
      <Listed figure="new-jobs" since={since} subject={subject}>
        <Count count={count} one="new job" many="new jobs" />
      </Listed>
    </Change>
  );
}

function Sources({ stopped, timeZone }: { stopped: Changes['stoppedSources']; timeZone: string }) {
  const about = stopped.map(({ name, readTo }) => {
    const at = formatDateTime(readTo, timeZone);
    return name === null ? `last read ${at}` : `${name}, last read ${at}`;
  });
  return (
    <Change kind="stoppedSources" count={stopped.length} about={about.join('; ')}>
      <ScreenLink className={styles.link} to={sources.at()}>
        <Count count={stopped.length} one="stopped source" many="stopped sources" />
      </ScreenLink>
    </Change>
  );
}

interface ListedProps {
  figure: Figure;
  since: string;
  subject: Subject;
  children: ReactNode;
}

function Listed({ figure, since, subject, children }: ListedProps) {
  return (
    <FigureButton
      className={styles.link}
      dialog={(onClose) => <FigureList figure={figure} subject={subject} given={{ since }} onClose={onClose} />}
    >
      {children}
    </FigureButton>
  );
}

function Count({ count, one, many }: { count: number; one: string; many: string }) {
  return (
    <>
      <strong>{formatCount(count)}</strong> {count === 1 ? one : many}
    </>
  );
}

interface LineProps {
  kind: string;
  count: number;
  about: string;
  children: ReactNode;
}

function Change({ kind, count, about, children }: LineProps) {
  return (
    <li className={styles.change} data-kind={count > 0 ? kind : undefined}>
      {children}
      <span className={styles.about} title={about}>
        {about === '' ? 'none' : about}
      </span>
    </li>
  );
}

/** `Nightly, SQL logs, Files and 9 more`. */
function namesText(count: number, names: readonly string[]): string {
  const more = count - names.length;
  return more > 0 ? `${names.join(', ')} and ${formatCount(more)} more` : names.join(', ');
}
