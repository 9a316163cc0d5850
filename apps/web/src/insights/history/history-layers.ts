import type { DayCounts } from '@keepwatch/contract/insights/insights';
import type { Result } from '@keepwatch/contract/runs/values';
import { RESULT_LOOKS } from '../../entities/result-badge.tsx';

interface Look {
  word: string;
  color: string;
}

/** One result of the history and of the figures by last result: its count, word and colour. */
export interface ResultLayer extends Look {
  result: Result;
  key: 'failed' | 'didntRun' | 'warning' | 'running' | 'success';
}

/** Runs with an anomaly, whatever their result. */
interface DoubtfulLayer extends Look {
  result: null;
  key: 'anomalies';
}

export type Layer = ResultLayer | DoubtfulLayer;

const KEYS = {
  Failed: 'failed',
  DidntRun: 'didntRun',
  Warning: 'warning',
  Running: 'running',
  Success: 'success',
} as const satisfies Record<Result, keyof DayCounts>;

/** From the bottom of a bar to its top. Problems are on the common base line, where days can be compared. */
export const LAYERS: readonly ResultLayer[] = (['Failed', 'DidntRun', 'Warning', 'Running', 'Success'] as const).map(
  (result) => {
    const { word, tone } = RESULT_LOOKS[result];
    return { result, key: KEYS[result], word, color: `var(--fill-${tone})` };
  },
);

const DOUBTFUL: DoubtfulLayer = { result: null, key: 'anomalies', word: 'Doubtful', color: 'var(--fill-warning)' };

/** What a person has to look at. A run is at most one of these: what failed or was missed has no anomaly. */
const PROBLEMS: readonly Layer[] = [...LAYERS.filter(({ key }) => key === 'failed' || key === 'didntRun'), DOUBTFUL];

/** The layers of the history: problems, or the results of all runs, whose successes leave little height to the rest. */
export function layersShown(isAll: boolean): readonly Layer[] {
  return isAll ? LAYERS : PROBLEMS;
}

/** How many runs of these layers a day had. */
export function sumOf(counts: Pick<DayCounts, Layer['key']>, layers: readonly Layer[]): number {
  return layers.reduce((sum, { key }) => sum + counts[key], 0);
}

/** What of the daily checks the runs of these layers are. */
export function runFilterOf(layers: readonly Layer[]): { result: Result[]; doubtful?: true } {
  const result = layers.flatMap((layer) => layer.result ?? []);
  return result.length < layers.length ? { result, doubtful: true } : { result };
}

type Counted = Pick<DayCounts, ResultLayer['key']>;

/** Runs of which the success rate is a share: those that ended or were missed. */
export function countedRuns({ success, warning, failed, didntRun }: Counted): number {
  return success + warning + failed + didntRun;
}

/** The share of successes; `null` without a run that ended or was missed. */
export function successRate(counts: Counted): number | null {
  const counted = countedRuns(counts);
  return counted === 0 ? null : counts.success / counted;
}
