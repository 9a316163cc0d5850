import type { JobExecution } from '@keepwatch/contract/monitoring/job-executions';
import type { Anomaly } from '@keepwatch/contract/monitoring/values';

/** A word for each anomaly, short enough for a row. */
const ANOMALY_WORDS: Readonly<Record<Anomaly, string>> = {
  duration: 'Unusual duration',
  transferred: 'Unusual transfer',
  size: 'Unusual size',
  'no-restore-point': 'No restore point',
  contradiction: 'Log contradicts',
};

export interface Mark {
  word: string;
  kind: 'anomaly' | 'doubtful' | 'retries' | 'unsaved' | 'note';
}

/** What a person should know of a run besides its result, most important first. */
export function marksOf({ anomalies, match, attempts, note }: JobExecution, isUnsaved = false): Mark[] {
  return [
    ...anomalies.map((anomaly): Mark => ({ word: ANOMALY_WORDS[anomaly], kind: 'anomaly' })),
    ...(match === 'doubtful' ? [{ word: 'Doubtful match', kind: 'doubtful' } as const] : []),
    ...(attempts > 1 ? [{ word: `${attempts} tries`, kind: 'retries' } as const] : []),
    ...(isUnsaved ? [{ word: 'Unsaved note', kind: 'unsaved' } as const] : []),
    ...(note === null ? [] : [{ word: 'Note', kind: 'note' } as const]),
  ];
}
