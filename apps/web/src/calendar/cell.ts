import { CELL_ANOMALY, CELL_EMPTY, CELL_LETTERS } from '@keepwatch/contract/monitoring/values';

/** How one day of a job is shown. The glyph carries the meaning where the colour cannot. */
export interface CellLook {
  /** Names the style. */
  kind: 'failed' | 'didnt-run' | 'warning' | 'running' | 'anomaly' | 'success' | 'empty';
  label: string;
  glyph: string;
}

const EMPTY: CellLook = { kind: 'empty', label: 'No run', glyph: '' };

/** From the worst to the best, as the legend shows them. */
export const CELL_LOOKS: ReadonlyMap<string, CellLook> = new Map([
  [CELL_LETTERS.Failed, { kind: 'failed', label: 'Failed', glyph: '×' }],
  [CELL_LETTERS.DidntRun, { kind: 'didnt-run', label: "Didn't run", glyph: '○' }],
  [CELL_LETTERS.Warning, { kind: 'warning', label: 'Warning', glyph: '!' }],
  [CELL_LETTERS.Running, { kind: 'running', label: 'Running', glyph: '▸' }],
  [CELL_ANOMALY, { kind: 'anomaly', label: 'Success, with an anomaly', glyph: '~' }],
  [CELL_LETTERS.Success, { kind: 'success', label: 'Success', glyph: '·' }],
  [CELL_EMPTY, EMPTY],
]);

/** The look of a day's letter; a letter of a newer server reads as no run. */
export function lookOf(letter: string | undefined): CellLook {
  return CELL_LOOKS.get(letter ?? CELL_EMPTY) ?? EMPTY;
}
