import type { CompanyRow } from '@keepwatch/contract/directory/companies';
import { getSpreadsheetReport } from '@keepwatch/contract/insights/insights';
import type { Result } from '@keepwatch/contract/runs/values';
import { Link } from '@tanstack/react-router';
import { DAILY_CHECKS_ABILITY, DailyChecksLink, STATUS } from '../entities/daily-checks-link.tsx';
import { RESULT_LOOKS } from '../entities/result-badge.tsx';
import { formatCount } from '../kit/format/numbers.ts';
import { useAllows } from '../kit/portal.tsx';
import styles from './company-panel.module.css';

/** As long as pending runs of a company are counted (contract, `companyRow`): the link shows those that it counts. */
const PENDING_DATE = 'Last 30 Days';

/** Figures that lead to the company's runs, for those who may see them. */
export function CompanyLinks({ company }: { company: CompanyRow }) {
  const mayCheck = useAllows(DAILY_CHECKS_ABILITY);
  const maySeeCalendar = useAllows(getSpreadsheetReport.access);
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
          <DailyChecksLink filter={{ company: [id], state: 'pending', date: PENDING_DATE }}>
            Daily checks{company.pending > 0 && ` (${formatCount(company.pending)} pending in 30 days)`}
          </DailyChecksLink>
        )}
        {maySeeCalendar && (
          <Link to="/monitoring/calendar-report" search={{ company: [id] }}>
            Calendar view
          </Link>
        )}
      </nav>
    </>
  );
}

function Figure({ id, result, count }: { id: string; result: Result; count: number }) {
  const { word, tone } = RESULT_LOOKS[result];
  return (
    <li>
      <DailyChecksLink className={styles.figure} filter={{ company: [id], result: [result], ...STATUS }}>
        <strong style={count === 0 ? undefined : { color: `var(--status-${tone})` }}>{formatCount(count)}</strong>
        <span>{word}</span>
      </DailyChecksLink>
    </li>
  );
}
