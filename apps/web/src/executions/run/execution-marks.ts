import type { JobExecution } from '@keepwatch/contract/executions/job-executions';

export interface Mark {
  word: string;
  kind: 'doubtful' | 'retries' | 'unsaved' | 'note';
}

/** What is to be known of a run besides its result and its reason, most important first. */
export function marksOf({ match, attempts, note }: JobExecution, isUnsaved = false): Mark[] {
  return [
    ...(match === 'doubtful' ? [{ word: 'May be another job', kind: 'doubtful' } as const] : []),
    ...(attempts > 1 ? [{ word: `${attempts} attempts`, kind: 'retries' } as const] : []),
    ...(isUnsaved ? [{ word: 'Unsaved note', kind: 'unsaved' } as const] : []),
    ...(note === null ? [] : [{ word: 'Note', kind: 'note' } as const]),
  ];
}
