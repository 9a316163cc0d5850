import type { Filters } from './filters.ts';

/** Which runs the list shows of those that fit, in words: `latest run per job, with ignored`. */
export function viewText({ latest, ignored, anomaly }: Pick<Filters, 'latest' | 'ignored' | 'anomaly'>): string {
  const parts = [
    latest ? 'latest run per job' : 'all runs',
    ...(ignored ? ['with ignored'] : []),
    ...(anomaly ? [] : ['without anomalies']),
  ];
  return parts.join(', ');
}
