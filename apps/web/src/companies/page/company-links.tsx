import type { CompanyRow } from '@keepwatch/contract/companies/companies';
import type { Result } from '@keepwatch/contract/runs/values';
import { STATUS } from '../../entities/daily-checks.ts';
import { calendar, dailyChecks } from '../../entities/places.ts';
import { RESULT_LOOKS } from '../../entities/result-badge.tsx';
import { formatCount } from '../../kit/format/numbers.ts';
import { ScreenLink, useMayOpen } from '../../kit/screen-link.tsx';
import styles from './company-details.module.css';

/** As long as pending runs of a company are counted (contract, `companyRow`): the link shows those that it counts. */
const PENDING_DATE = 'Last 30 Days';

/** Figures that lead to the company's runs, for those who may see them. */
export function CompanyLinks({ company }: { company: CompanyRow }) {
  const mayCheck = useMayOpen(dailyChecks);
  const maySeeCalendar = useMayOpen(calendar);
  const { _id: id, failed, warning, didntRun } = company;
  return (
    <>
      <ul className={styles.figures} aria-label="Jobs by latest result">
        <Figure id={id} result="Failed" count={failed} />
        <Figure id={id} result="Warning" count={warning} />
        <Figure id={id} result="DidntRun" count={didntRun} />
      </ul>
      <nav className={styles.links} aria-label={`Runs of ${company.name}`}>
        {mayCheck && (
          <ScreenLink to={dailyChecks.at({ company: [id], state: 'pending', date: PENDING_DATE })}>
            Daily checks{company.pending > 0 && ` (${formatCount(company.pending)} pending in 30 days)`}
          </ScreenLink>
        )}
        {maySeeCalendar && <ScreenLink to={calendar.at({ company: [id] })}>Calendar view</ScreenLink>}
      </nav>
    </>
  );
}

function Figure({ id, result, count }: { id: string; result: Result; count: number }) {
  const { word, tone } = RESULT_LOOKS[result];
  return (
    <li>
      <ScreenLink className={styles.figure} to={dailyChecks.at({ company: [id], result: [result], ...STATUS })}>
        <strong style={count === 0 ? undefined : { color: `var(--status-${tone})` }}>{formatCount(count)}</strong>
        <span>{word}</span>
      </ScreenLink>
    </li>
  );
}
