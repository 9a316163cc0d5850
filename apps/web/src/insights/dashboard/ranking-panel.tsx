import type { FailureOrder, RankedJob } from '@keepwatch/contract/insights/insights';
import { useState } from 'react';
import { dailyChecks } from '../../entities/places.ts';
import { BAR_ROW_PX, BarList, type BarRow } from '../../kit/dashboard/bar-list.tsx';
import { DashboardPanel } from '../../kit/dashboard/dashboard-panel.tsx';
import { formatDuration } from '../../kit/format/durations.ts';
import { formatBytes, formatCount, formatRuns } from '../../kit/format/numbers.ts';
import { ToggleButton } from '../../kit/toggle-button.tsx';
import { companyOf } from './company-of.ts';
import type { Subject } from './dashboard-filters.ts';
import { useEmptyText } from './no-matching-jobs.ts';
import { RANKED_MAX, type RankingKind, useRanking } from './rankings.data.ts';

interface Look {
  title: string;
  valueText: (job: RankedJob) => string;
  emptyText: string;
}

const LOOKS: Readonly<Record<RankingKind, Look>> = {
  failures: {
    title: 'Most failures',
    valueText: ({ value, runs }) => `${formatCount(value)} of ${formatCount(runs)}`,
    emptyText: 'No job failed on these days.',
  },
  duration: {
    title: 'Longest runs',
    valueText: ({ value }) => formatDuration(value),
    emptyText: 'No job ran on these days.',
  },
  transferred: {
    title: 'Most transferred',
    valueText: ({ value }) => formatBytes(value),
    emptyText: 'No job transferred anything on these days.',
  },
};

/** The jobs that rank first in something. Each links to all its runs of the range. */
export function RankingPanel({ kind, subject }: { kind: RankingKind; subject: Subject }) {
  const [by, setBy] = useState<FailureOrder>('rate');
  const reading = useRanking(kind, subject, by);
  const { title, valueText, emptyText: noneText } = LOOKS[kind];
  const emptyText = useEmptyText(noneText);
  return (
    <DashboardPanel
      title={title}
      columns={kind === 'failures' ? 4 : 6}
      bodyPx={RANKED_MAX * BAR_ROW_PX + 8}
      reading={reading}
      emptyText={(jobs) => (jobs.length === 0 ? emptyText : null)}
      {...(kind === 'failures' ? { actions: <OrderSwitch by={by} onChange={setBy} /> } : {})}
    >
      {(jobs) => <BarList rows={jobs.map((job) => rowOf(job, subject, shareOf(job, jobs)))} />}
    </DashboardPanel>
  );

  function shareOf(job: RankedJob, [first]: readonly RankedJob[]): number {
    return job.value / Math.max(1, kind === 'failures' && by === 'rate' ? job.runs : (first?.value ?? 1));
  }

  function rowOf(job: RankedJob, { day }: Subject, share: number): BarRow {
    const { jobInstanceUid, jobName, companyName, runs } = job;
    // Of the failures the failed runs, which are what is counted; else all of them.
    const shown = kind === 'failures' ? { result: ['Failed' as const] } : {};
    return {
      key: jobInstanceUid,
      title: jobName,
      to: dailyChecks.at({ day, job: [jobInstanceUid], ...shown, state: 'all', ignored: true }),
      otherwise: companyOf(job),
      detail: companyName ?? 'No company',
      text: valueText(job),
      hint: formatRuns(runs),
      share,
    };
  }
}

const ORDERS = [
  { by: 'rate', word: 'By rate', hint: 'By the share of runs that failed; jobs with few runs weigh less' },
  { by: 'count', word: 'By count', hint: 'By how many runs failed' },
] as const satisfies readonly { by: FailureOrder; word: string; hint: string }[];

function OrderSwitch({ by, onChange }: { by: FailureOrder; onChange: (by: FailureOrder) => void }) {
  return ORDERS.map((order) => (
    <span key={order.by} title={order.hint}>
      <ToggleButton isOn={order.by === by} onChange={() => onChange(order.by)}>
        {order.word}
      </ToggleButton>
    </span>
  ));
}
