import { indexWords } from '../search/index-words.ts';
import { reportingWaits } from './waits.ts';
import type { Stored, Work } from './work.ts';

/** Makes the texts of new items searchable. What is not done when it is stopped is the next one's work. */
export async function indexTexts(stored: Stored, work: Work): Promise<number> {
  const { signal, onEvent } = work;
  const { repository, catalog } = reportingWaits(stored, work);
  onEvent({ type: 'phase', phase: 'indexing' });
  return indexWords(repository, catalog, {
    signal,
    onProgress: (done, total) =>
      onEvent({ type: 'progress', what: 'Making texts searchable', done, total, unit: 'items' }),
  });
}
