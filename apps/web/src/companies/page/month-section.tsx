import type { CalendarRow } from '@keepwatch/contract/insights/calendar';
import { useLayoutEffect, useRef } from 'react';
import cellStyles from '../../entities/calendar/cell.module.css';
import { lookOf, wordOf } from '../../entities/calendar/cell.ts';
import { daysOfMonth, formatMonth, type MonthDay, monthOf } from '../../entities/calendar/month.ts';
import { calendar, dailyChecks } from '../../entities/places.ts';
import { useBackupClock, useToday } from '../../kit/backup-clock.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import { ScreenLink } from '../../kit/screen-link.tsx';
import { useMonth } from './company-page.data.ts';
import { CompanySection } from './company-section.tsx';
import styles from './month-section.module.css';

/** The jobs of the company by the days of this month. */
export function MonthSection({ id }: { id: string }) {
  const today = useToday(useBackupClock());
  const month = monthOf(today);
  const reading = useMonth(id, month);
  const { count = 0, data = [] } = reading.data ?? {};
  return (
    <CompanySection
      isWide
      title={formatMonth(month)}
      note={count > data.length ? `${data.length} of ${formatCount(count)} jobs` : undefined}
      reading={reading}
      actions={<ScreenLink to={calendar.at({ company: [id] })}>Calendar view</ScreenLink>}
      empty={(found) => (found.count > 0 ? null : <p>No job of this company has run or should have run.</p>)}
    >
      {(found) => <Month jobs={found.data} days={daysOfMonth(month, today)} label={formatMonth(month)} />}
    </CompanySection>
  );
}

interface MonthProps {
  jobs: readonly CalendarRow[];
  days: readonly MonthDay[];
  label: string;
}

function Month({ jobs, days, label }: MonthProps) {
  const ref = useRef<HTMLElement>(null);
  // A phone shows a week of it: that up to today.
  useLayoutEffect(() => {
    const today = ref.current?.querySelector<HTMLElement>('[aria-current]');
    if (ref.current !== null && today) ref.current.scrollLeft = endOf(today) - ref.current.clientWidth;
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a narrow screen the keyboard scrolls it sideways
    <section ref={ref} className={styles.scroll} aria-label={`Jobs in ${label}`} tabIndex={0}>
      <table className={styles.month}>
        <thead>
          <tr>
            <th scope="col">Job</th>
            {days.map(({ day, number, weekday, isWeekend, isToday }) => (
              <th
                key={day}
                scope="col"
                title={weekday}
                data-weekend={isWeekend || undefined}
                aria-current={isToday ? 'date' : undefined}
              >
                {number}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <JobRow key={job.jobInstanceUid} job={job} days={days} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function endOf({ offsetLeft, offsetWidth }: HTMLElement): number {
  return offsetLeft + offsetWidth;
}

function JobRow({
  job: { jobInstanceUid, jobName, cells, sharedBy, isEnabled },
  days,
}: {
  job: CalendarRow;
  days: readonly MonthDay[];
}) {
  const isShared = sharedBy !== null;
  const runs = dailyChecks.at({ job: [jobInstanceUid], state: 'all', ignored: true, date: 'This Month' });
  return (
    <tr>
      <th scope="row" title={jobName}>
        <ScreenLink to={runs}>{jobName}</ScreenLink>
        {!isEnabled && <span className={styles.muted}> · disabled</span>}
      </th>
      {days.map(({ day, isFuture }, column) => {
        const look = lookOf(cells[column]);
        return (
          <td key={day}>
            {!isFuture && (
              <span
                className={`${cellStyles.cell} ${styles.cell}`}
                role="img"
                data-kind={look.kind}
                data-hatched={isShared || undefined}
                aria-label={wordOf(look, isShared)}
                title={wordOf(look, isShared)}
              >
                {look.glyph}
              </span>
            )}
          </td>
        );
      })}
    </tr>
  );
}
