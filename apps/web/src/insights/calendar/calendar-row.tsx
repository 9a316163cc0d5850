// biome-ignore-all lint/a11y/useSemanticElements: the virtual list places the rows, which elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell (aria-activedescendant)
import type { CalendarRow as Job } from '@keepwatch/contract/insights/calendar';
import { memo } from 'react';
import cellStyles from '../../entities/calendar/cell.module.css';
import { lookOf, wordOf } from '../../entities/calendar/cell.ts';
import styles from './calendar-grid.module.css';

interface CalendarRowProps {
  index: number;
  topPx: number;
  /** None while its page is being read. */
  job: Job | undefined;
  days: number;
  /** The cells are of another month than the one asked for. */
  isStale: boolean;
  /** Only a company's first job shows its name, so that groups are seen at a glance. */
  isFirstOfCompany: boolean;
  /** Column of the active cell, if it is in this row. */
  activeColumn: number | null;
  activeId: string;
}

/** One job's month. As few elements as the cells allow: dozens of these come and go with every turn of the wheel. */
function Row({ index, topPx, job, days, isStale, isFirstOfCompany, activeColumn, activeId }: CalendarRowProps) {
  const isShared = job !== undefined && job.sharedBy !== null;
  return (
    <div
      className={styles.row}
      role="row"
      aria-rowindex={index + 3}
      data-row={index}
      data-first={isFirstOfCompany || undefined}
      style={{ transform: `translateY(${topPx}px)` }}
    >
      <div className={styles.job} role="rowheader">
        {job === undefined ? (
          <span className={styles.skeleton} />
        ) : (
          <JobNames job={job} isFirstOfCompany={isFirstOfCompany} />
        )}
      </div>
      {Array.from({ length: days }, (_, column) => {
        const look = lookOf(isStale ? undefined : job?.cells[column]);
        const isActive = column === activeColumn;
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a day has its place
            key={column}
            id={isActive ? activeId : undefined}
            className={cellStyles.cell}
            role="gridcell"
            data-kind={look.kind}
            data-active={isActive || undefined}
            data-hatched={isShared || undefined}
            aria-label={wordOf(look, isShared)}
          >
            {look.glyph}
          </span>
        );
      })}
    </div>
  );
}

function JobNames({ job, isFirstOfCompany }: { job: Job; isFirstOfCompany: boolean }) {
  const company = job.companyName ?? 'No company';
  return (
    <>
      <span className={styles.company} data-repeated={!isFirstOfCompany || undefined} title={company}>
        {company}
      </span>
      <span className={styles.name} title={job.jobName}>
        {job.jobName}
        {!job.isEnabled && <span className={styles.disabled}> · disabled</span>}
      </span>
    </>
  );
}

/** Drawn again only when something of it changed. */
export const CalendarRow = memo(Row);
