import type { OverviewStats } from '@keepwatch/contract/monitoring/insight';
import { formatBytes, formatCount } from '../kit/format/numbers.ts';
import type { Subject } from './dashboard-filters.ts';
import { useComputersStatus } from './overview.data.ts';
import styles from './overview-panel.module.css';
import { transferredText } from './transferred.ts';

/** How much there is: companies, jobs, bytes, and computers that nobody protects. */
export function OverviewFacts({ stats, subject }: { stats: OverviewStats; subject: Subject }) {
  const computers = useComputersStatus(subject);
  const facts = [
    ['Companies', formatCount(stats.companies)],
    ['Jobs', formatCount(stats.jobs)],
    ['Disabled', formatCount(stats.disabled)],
    ['Protected', formatBytes(stats.backupSizeBytes)],
    ['Transferred', transferredText(stats)],
    ['Computers without agent', withoutAgentText(computers)],
  ] as const;
  return (
    <dl className={styles.facts}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function withoutAgentText({ data, error }: Pick<ReturnType<typeof useComputersStatus>, 'data' | 'error'>): string {
  if (data !== undefined) return `${formatCount(data.withoutAgent)} of ${formatCount(data.total)}`;
  return error === null ? '…' : 'not known now';
}
