import type { OverviewStats } from '@keepwatch/contract/insights/insights';
import type { ReactNode } from 'react';
import { calendar, companies } from '../../entities/places.ts';
import { FigureButton } from '../../kit/figures/figure-button.tsx';
import { formatBytes, formatCount } from '../../kit/format/numbers.ts';
import { ScreenLink, useMayOpen } from '../../kit/screen-link.tsx';
import { runsOf } from '../history/history-day.tsx';
import { transferredText } from '../history/transferred.ts';
import type { Subject } from './dashboard-filters.ts';
import { FigureList } from './figure-list.ts';
import { useComputersStatus } from './overview.data.ts';
import styles from './overview-panel.module.css';

interface FactsProps {
  stats: OverviewStats;
  subject: Subject;
}

/** To the panel of the disabled jobs, which may be drawn a moment later than the link. */
function goToDisabled(link: HTMLElement): void {
  const panel = document.getElementById('disabled');
  if (panel !== null) panel.focus();
  else if (link.isConnected) requestAnimationFrame(() => goToDisabled(link));
}

/** How much there is: companies, jobs, bytes, and computers without agent. What can be listed links to its list. */
export function OverviewFacts({ stats, subject }: FactsProps) {
  return (
    <dl className={styles.facts}>
      <Fact term="Companies">
        <Companies stats={stats} subject={subject} />
      </Fact>
      <Fact term="Jobs">
        <Jobs stats={stats} subject={subject} />
      </Fact>
      <Fact term="Disabled">
        <button type="button" className={styles.link} onClick={({ currentTarget }) => goToDisabled(currentTarget)}>
          {formatCount(stats.disabled)}
          <span className="visually-hidden"> disabled jobs</span>
        </button>
      </Fact>
      <Fact term="Protected">
        <ScreenLink
          className={styles.link}
          to={calendar.at(jobsSearch(subject))}
          otherwise={companies.at({ sort: '-jobs' })}
        >
          {formatBytes(stats.backupSizeBytes)}
          <span className="visually-hidden"> of all jobs</span>
        </ScreenLink>
      </Fact>
      <Fact term="Transferred">
        <Transferred stats={stats} subject={subject} />
      </Fact>
      <Fact term="Computers without agent">
        <Computers subject={subject} />
      </Fact>
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Companies({ stats, subject }: FactsProps) {
  const mayOpen = useMayOpen(companies);
  const figure = (
    <>
      {formatCount(stats.companies)}
      <span className="visually-hidden"> companies</span>
    </>
  );
  if (!mayOpen) {
    return (
      <FigureButton
        className={styles.link}
        dialog={(onClose) => <FigureList figure="companies" subject={subject} onClose={onClose} />}
      >
        {figure}
      </FigureButton>
    );
  }
  return (
    <ScreenLink className={styles.link} to={companies.at({ ...jobsSearch(subject), jobs: true })}>
      {figure}
    </ScreenLink>
  );
}

/** Jobs link to the calendar, which lists them, or to the companies with most jobs if the user may not open it. */
function Jobs({ stats: { jobs, jobsWithoutCompany }, subject }: FactsProps) {
  return (
    <>
      <ScreenLink
        className={styles.link}
        to={calendar.at(jobsSearch(subject))}
        otherwise={companies.at({ sort: '-jobs' })}
      >
        {formatCount(jobs)}
        <span className="visually-hidden"> jobs</span>
      </ScreenLink>
      {jobsWithoutCompany > 0 && (
        <span className={styles.beside}>
          <FigureButton
            className={styles.link}
            dialog={(onClose) => <FigureList figure="without-company" subject={subject} onClose={onClose} />}
          >
            {`${formatCount(jobsWithoutCompany)} without a company`}
          </FigureButton>
        </span>
      )}
    </>
  );
}

function jobsSearch({ jobs: { companyIds, source } }: Subject) {
  return { ...(companyIds === undefined ? {} : { company: companyIds }), ...(source === undefined ? {} : { source }) };
}

const LEAST_HINT = 'At least this much: some runs do not report how much they transferred';

/** It leads to the runs whose bytes it adds up. */
function Transferred({ stats, subject }: FactsProps) {
  return (
    <ScreenLink
      className={styles.link}
      title={stats.isTransferredPartial === true ? LEAST_HINT : undefined}
      to={runsOf(subject, subject.day, [])}
    >
      {transferredText(stats)}
      <span className="visually-hidden"> by all runs</span>
    </ScreenLink>
  );
}

/** How many computers have no agent, of how many: it opens their list. */
export function Computers({
  subject,
  word = 'computers without agent',
}: Pick<FactsProps, 'subject'> & { word?: string }) {
  const { data, error } = useComputersStatus(subject);
  if (data === undefined) return error === null ? '…' : 'not known now';
  return (
    <FigureButton
      className={styles.link}
      dialog={(onClose) => <FigureList figure="computers" subject={subject} onClose={onClose} />}
    >
      {`${formatCount(data.withoutAgent)} of ${formatCount(data.total)}`}
      <span className="visually-hidden"> {word}</span>
    </FigureButton>
  );
}
