import { CELL_ANOMALY, CELL_EMPTY, CELL_LETTERS, CELL_SHARED } from '@keepwatch/contract/runs/values';
import { RESULT_LOOKS } from '../result-badge.tsx';

/** How one day of a job is shown. The glyph carries the meaning where the colour cannot. */
export interface CellLook {
  /** Names the style. */
  kind: 'failed' | 'didnt-run' | 'warning' | 'running' | 'anomaly' | 'success' | 'shared' | 'empty';
  word: string;
  glyph: string;
}

const EMPTY: CellLook = { kind: 'empty', word: 'No run', glyph: '' };

/** By letter, from the worst to the best, as the legend shows them. */
export const CELL_LOOKS: ReadonlyMap<string, CellLook> = new Map<string, CellLook>([
  [CELL_LETTERS.Failed, { kind: 'failed', word: RESULT_LOOKS.Failed.word, glyph: '×' }],
  [CELL_LETTERS.DidntRun, { kind: 'didnt-run', word: RESULT_LOOKS.DidntRun.word, glyph: '○' }],
  [CELL_LETTERS.Warning, { kind: 'warning', word: RESULT_LOOKS.Warning.word, glyph: '!' }],
  [CELL_LETTERS.Running, { kind: 'running', word: RESULT_LOOKS.Running.word, glyph: '▸' }],
  [CELL_ANOMALY, { kind: 'anomaly', word: 'Success with an anomaly', glyph: '~' }],
  [CELL_LETTERS.Success, { kind: 'success', word: RESULT_LOOKS.Success.word, glyph: '·' }],
  [CELL_SHARED, { kind: 'shared', word: 'Belongs to one of several jobs', glyph: '?' }],
  [CELL_EMPTY, EMPTY],
]);

/** The look of a day's letter; a letter of a newer server reads as no run. */
export function lookOf(letter: string | undefined): CellLook {
  return CELL_LOOKS.get(letter ?? CELL_EMPTY) ?? EMPTY;
}

/** What a cell says; on the row of runs that may belong to several jobs also that. */
export function wordOf(look: CellLook, isShared: boolean): string {
  return isShared && look !== EMPTY ? `${look.word}, belongs to one of several jobs` : look.word;
}

/** Whether there is anything to open on that day. */
export function hasRuns(letter: string | undefined): boolean {
  return lookOf(letter) !== EMPTY;
}
