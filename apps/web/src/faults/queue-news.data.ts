import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { changeRows } from '../kit/data-table/change-rows.ts';
import { loadedRows, type Pages } from '../kit/data-table/pages.ts';
import { gatherBursts } from '../kit/live/bursts.ts';
import { usePortal } from '../kit/portal.tsx';
import { KEY, listKey, PAGE_ROWS, type QueueQuery, useLoadQueue } from './faults.data.ts';
import type { QueueRow } from './queue-row.ts';

/** A sync changes many runs in a row: after a look at the first of them, one look for all that follow is enough. */
const GATHER_MS = 1_500;

interface Edits {
  inFlight: ReadonlyMap<string, unknown>;
  isOwn: (id: string) => boolean;
}

/**
 * What others and the sources do to the queue. Lines that another user has settled, or that a run has healed, leave at once, so that they are
 * not worked on again. What is new waits until the person asks for it, so that no line moves down under the hand.
 */
export function useQueueNews(query: QueueQuery, pages: Pages<QueueRow>, edits: Edits) {
  const { live } = usePortal();
  const queries = useQueryClient();
  const load = useLoadQueue();
  const [news, setNews] = useState<{ listKey: string; ids: readonly string[] } | null>(null);
  const latest = useRef({ query, pages, edits, load });
  useEffect(() => {
    latest.current = { query, pages, edits, load };
  });
  useEffect(() => {
    let isLooking = false;
    const look = async () => {
      const asked = latest.current;
      // A look that fails is made again at the next change; the list itself says what is wrong.
      const reply = await asked.load(asked.query, { limit: PAGE_ROWS, offset: 0 }).catch(() => null);
      const { pages: shown, edits: made } = latest.current;
      if (reply === null || shown.listKey !== asked.pages.listKey) return;
      // The reply may know of an edit that the list does not know to be done yet, or the other way round.
      if (asked.edits.inFlight.size > 0 || made.inFlight.size > 0) return bursts.event();
      const rows = loadedRows(shown);
      const found = new Map(reply.data.map((row) => [row.id, row]));
      const gone = goneFrom(rows, found, reply.count);
      changeRows<QueueRow>(queries, listKey(asked.query), PAGE_ROWS, (row) =>
        gone.has(row.id) ? null : (found.get(row.id) ?? row),
      );
      const known = new Set(rows.map(({ id }) => id));
      const ids = reply.data.map(({ id }) => id).filter((id) => !known.has(id) && !made.isOwn(id));
      setNews({ listKey: shown.listKey, ids });
      for (const part of ['count', 'running']) void queries.invalidateQueries({ queryKey: [...KEY, part] });
    };
    const bursts = gatherBursts(() => {
      if (isLooking) return false;
      isLooking = true;
      void look().finally(() => {
        isLooking = false;
      });
      return true;
    }, GATHER_MS);
    const stop = live.on('executions.changed', bursts.event);
    return () => {
      stop();
      bursts.stop();
    };
  }, [live, queries]);
  const shown = new Set(loadedRows(pages).map(({ id }) => id));
  const added = news?.listKey === pages.listKey ? news.ids.filter((id) => !shown.has(id)).length : 0;
  return { added, refresh: () => void queries.invalidateQueries({ queryKey: KEY }) };
}

/** Lines at the beginning of the list that the server no longer has there. What was only pushed down is not gone. */
function goneFrom(rows: readonly QueueRow[], found: ReadonlyMap<string, QueueRow>, count: number): ReadonlySet<string> {
  const lastCommon = rows.findLastIndex(({ id }) => found.has(id));
  const compared = count === found.size || lastCommon === -1 ? rows : rows.slice(0, lastCommon);
  return new Set(compared.map(({ id }) => id).filter((id) => !found.has(id)));
}
