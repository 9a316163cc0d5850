import type { PastRun } from '@keepwatch/contract/executions/job-executions';
import type { Result } from '@keepwatch/contract/runs/values';
import { SegmentedControl } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { RESULT_LOOKS } from '../../entities/result-badge.tsx';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatDuration } from '../../kit/format/durations.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import styles from './past-runs.module.css';
import { BAR_PX, barHeights, HEIGHT_PX, type Measure, STEP_PX } from './past-runs-scale.ts';

interface PastRunsProps {
  /** Oldest first. */
  runs: readonly PastRun[];
  currentId: string;
  onOpen: (id: string) => void;
}

const MEASURES = [
  { value: 'durationMs', label: 'Duration' },
  { value: 'transferredBytes', label: 'Transferred' },
] as const satisfies readonly { value: Measure; label: string }[];

/** Shown under the bars, so that a result is clear without its colour. */
const GLYPHS: Readonly<Record<Result, string>> = {
  Failed: '×',
  DidntRun: '○',
  Warning: '!',
  Running: '▸',
  Success: '',
};
const FOOT_PX = 22;

/** The job's last runs as a picture: height is duration or bytes, colour and glyph the result. */
export function PastRuns({ runs, currentId, onOpen }: PastRunsProps) {
  const [measure, setMeasure] = useState<Measure>('durationMs');
  const heights = barHeights(runs, measure);
  const width = runs.length * STEP_PX;
  // A picture of one bar says nothing.
  if (runs.length === 1) return <h3>First run</h3>;
  return (
    <section className={styles.section} aria-label="Last runs">
      <div className={styles.head}>
        <h3>{`Last ${runs.length} runs`}</h3>
        <SegmentedControl
          aria-label="Height of the bars"
          data={[...MEASURES]}
          value={measure}
          onChange={(value) => setMeasure(MEASURES.find((choice) => choice.value === value)?.value ?? measure)}
        />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a picture of bars, not a set of fields */}
      <svg
        className={styles.picture}
        viewBox={`0 0 ${width} ${HEIGHT_PX + FOOT_PX}`}
        style={{ maxWidth: width }}
        role="group"
        aria-label={summaryOf(runs)}
        onKeyDown={moveFocus}
      >
        <line className={styles.ground} x1={0} x2={width} y1={HEIGHT_PX + 0.5} y2={HEIGHT_PX + 0.5} />
        {runs.map((run, place) => (
          <Bar
            key={run._id}
            run={run}
            leftPx={place * STEP_PX}
            heightPx={heights[place] ?? 0}
            isCurrent={run._id === currentId}
            onOpen={onOpen}
          />
        ))}
      </svg>
    </section>
  );
}

interface BarProps {
  run: PastRun;
  leftPx: number;
  heightPx: number;
  isCurrent: boolean;
  onOpen: (id: string) => void;
}

function Bar({ run, leftPx, heightPx, isCurrent, onOpen }: BarProps) {
  const text = textOf(run, useBackupClock().timeZone);
  const open = () => onOpen(run._id);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    open();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button element cannot be inside a picture
    <g
      className={styles.bar}
      role="button"
      tabIndex={isCurrent ? 0 : -1}
      aria-label={text}
      aria-current={isCurrent || undefined}
      data-tone={RESULT_LOOKS[run.result].tone}
      onClick={open}
      onKeyDown={onKeyDown}
    >
      <title>{text}</title>
      <rect className={styles.target} x={leftPx} y={0} width={STEP_PX} height={HEIGHT_PX + FOOT_PX} />
      <rect className={styles.value} x={leftPx + 2} y={HEIGHT_PX - heightPx} width={BAR_PX} height={heightPx} rx={2} />
      <text className={styles.glyph} x={leftPx + STEP_PX / 2} y={HEIGHT_PX + 12}>
        {run.result === 'Success' && run.anomalies.length > 0 ? '~' : GLYPHS[run.result]}
      </text>
      {isCurrent && (
        <rect className={styles.current} x={leftPx + 3} y={HEIGHT_PX + 17} width={12} height={3} rx={1.5} />
      )}
    </g>
  );
}

/** `03/14/26 10:00 PM, Failed, 12m 3s, 1.5 GB`. */
function textOf({ startedAt, result, durationMs, transferredBytes, anomalies }: PastRun, timeZone: string): string {
  const parts = [
    formatDateTime(startedAt, timeZone),
    RESULT_LOOKS[result].word + (anomalies.length > 0 ? ' with an anomaly' : ''),
    durationMs === null ? null : formatDuration(durationMs),
    transferredBytes === null ? null : formatBytes(transferredBytes),
  ];
  return parts.filter((part) => part !== null).join(', ');
}

function summaryOf(runs: readonly PastRun[]): string {
  const failed = runs.filter(({ result }) => result === 'Failed').length;
  const missed = runs.filter(({ result }) => result === 'DidntRun').length;
  return `Last ${runs.length} runs, oldest first: ${failed} failed, ${missed} didn't run. Arrow keys go from run to run.`;
}

/** One stop for the Tab key; arrow keys go from bar to bar. */
function moveFocus(event: KeyboardEvent<SVGSVGElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const bars = [...event.currentTarget.querySelectorAll<SVGGElement>('[role="button"]')];
  const place = bars.findIndex((bar) => bar.matches(':focus'));
  bars[Math.max(0, Math.min(bars.length - 1, place + step))]?.focus();
}
