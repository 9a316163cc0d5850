import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeRows } from '../kit/data-table/change-rows.ts';
import { goneRows } from '../kit/data-table/gone-rows.ts';
import { loadedRows, type Pages } from '../kit/data-table/pages.ts';
import { formatCounted } from '../kit/format/numbers.ts';
import { useLooks } from '../kit/live/use-looks.ts';
import { KEY, listKey, PAGE_ROWS, type QueueQuery, useLoadQueue } from './faults.data.ts';
import type { QueueRow } from './queue-row.ts';

interface Edits {
  inFlight: ReadonlyMap<string, unknown>;
  isOwn: (id: string) => boolean;
}

/**
 * What others and the sources do to the queue. Lines that another user has settled, or that a run has healed, leave at once, so that they are
 * not worked on again. What is new waits until the person asks for it, so that no line moves down under the hand.
 */
export function useQueueNews(query: QueueQuery, pages: Pages<QueueRow>, edits: Edits) {
  const queries = useQueryClient();
  const load = useLoadQueue();
  const [news, setNews] = useState<{ listKey: string; ids: readonly string[] } | null>(null);
  useLooks('executions.changed', { query, pages, edits }, async (asked, now) => {
    // A look that fails is made again at the next change; the list itself says what is wrong.
    const reply = await load(asked.query, { limit: PAGE_ROWS, offset: 0 }).catch(() => null);
    const { pages: shown, edits: made } = now();
    if (reply === null || shown.listKey !== asked.pages.listKey) return true;
    // The reply may know of an edit that the list does not know to be done yet, or the other way round.
    if (asked.edits.inFlight.size > 0 || made.inFlight.size > 0) return false;
    const known = loadedRows(shown).map(({ id }) => id);
    const found = new Map(reply.data.map((row) => [row.id, row]));
    const gone = new Set(goneRows(known, new Set(found.keys()), reply.count));
    changeRows<QueueRow>(queries, listKey(asked.query), PAGE_ROWS, (row) =>
      gone.has(row.id) ? null : (found.get(row.id) ?? row),
    );
    const ids = [...found.keys()].filter((id) => !known.includes(id) && !made.isOwn(id));
    setNews({ listKey: shown.listKey, ids });
    for (const part of ['count', 'running']) void queries.invalidateQueries({ queryKey: [...KEY, part] });
    return true;
  });
  const shown = new Set(loadedRows(pages).map(({ id }) => id));
  const added = news?.listKey === pages.listKey ? news.ids.filter((id) => !shown.has(id)).length : 0;
  const text = added === 0 ? null : formatCounted(added, 'new fault', 'new faults');
  return { text, refresh: () => void queries.invalidateQueries({ queryKey: KEY }) };
}
