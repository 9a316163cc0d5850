import type { DayCounts } from '@keepwatch/contract/insights/insights';
import type { Result } from '@keepwatch/contract/runs/values';
import { RESULT_LOOKS } from '../../entities/result-badge.tsx';

/** One result of the history and of the figures by last result: its count, word and colour. */
export interface Layer {
  result: Result;
  key: 'failed' | 'didntRun' | 'warning' | 'running' | 'success';
  word: string;
  color: string;
}

const KEYS = {
  Failed: 'failed',
  DidntRun: 'didntRun',
  Warning: 'warning',
  Running: 'running',
  Success: 'success',
} as const satisfies Record<Result, keyof DayCounts>;

/** From the bottom of a bar to its top. Problems are on the common base line, where days can be compared. */
export const LAYERS: readonly Layer[] = (['Failed', 'DidntRun', 'Warning', 'Running', 'Success'] as const).map(
  (result) => {
    const { word, tone } = RESULT_LOOKS[result];
    return { result, key: KEYS[result], word, color: `var(--status-${tone})` };
  },
);

/** The layers of the history: all, or without the successes, which otherwise leave little height to the rest. */
export function layersShown(isTroubleOnly: boolean): readonly Layer[] {
  return isTroubleOnly ? LAYERS.filter(({ key }) => key !== 'success' && key !== 'running') : LAYERS;
}

/** How many runs of these layers a day had. */
export function sumOf(counts: Pick<DayCounts, Layer['key']>, layers: readonly Layer[]): number {
  return layers.reduce((sum, { key }) => sum + counts[key], 0);
}
