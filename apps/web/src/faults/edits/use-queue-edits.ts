import type { FaultChange } from '@keepwatch/contract/faults/faults';
import type { FaultState } from '@keepwatch/contract/faults/values';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { changeRows } from '../../kit/data-table/change-rows.ts';
import { overlayRows } from '../../kit/data-table/overlay-rows.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { useUser } from '../../kit/portal.tsx';
import { listKey, PAGE_ROWS, type QueueQuery } from '../faults.data.ts';
import type { QueueRow } from '../queue-row.ts';
import { type Outcome, targetOf } from './fault-edit.ts';
import { useFaultEdits } from './use-fault-edits.ts';

type InFlight = ReadonlyMap<string, FaultChange>;
const NONE: InFlight = new Map();

/** Changes lines of the queue: at once in the list, which goes back where the change fails. */
export function useQueueEdits(query: QueueQuery) {
  const queries = useQueryClient();
  const { username } = useUser();
  const [inFlight, setInFlight] = useState(NONE);
  const own = useRef(new Set<string>());
  const isOwn = useCallback((id: string) => own.current.has(id), []);
  const { edit, undoLast } = useFaultEdits(query.filter);
  const editRows = async (rows: readonly QueueRow[], change: FaultChange): Promise<Outcome> => {
    const ids = rows.map(({ id }) => id);
    for (const id of ids) own.current.add(id);
    setInFlight((before) => new Map([...before, ...ids.map((id) => [id, change] as const)]));
    const outcome = await edit({ target: targetOf(rows), change });
    if (outcome.error === null)
      changeRows<QueueRow>(queries, listKey(query), PAGE_ROWS, (row) =>
        ids.includes(row.id) ? rowAfter(row, change, query, username) : row,
      );
    setInFlight((before) => new Map([...before].filter(([id, sent]) => !ids.includes(id) || sent !== change)));
    return outcome;
  };
  const resolveHealed = (count: number) =>
    edit({ target: { ids: [], causes: [], isHealed: true, count, name: null }, change: { state: 'resolved' } });
  return { editRows, resolveHealed, undoLast, inFlight, isOwn };
}

/** The list as it will be once every change on its way has been answered. */
export function useRowsAfter(pages: Pages<QueueRow>, inFlight: InFlight, query: QueueQuery): Pages<QueueRow> {
  const { username } = useUser();
  return useMemo(() => {
    if (inFlight.size === 0) return pages;
    return overlayRows(pages, (row) => {
      const change = inFlight.get(row.id);
      return change === undefined ? row : rowAfter(row, change, query, username);
    });
  }, [pages, inFlight, query, username]);
}

/** What a change makes of a line; `null`: it leaves the list. */
function rowAfter(
  row: QueueRow,
  { state, note, ignoredUntil }: FaultChange,
  { filter }: QueueQuery,
  username: string,
): QueueRow | null {
  const after: FaultState = state ?? row.fault.state;
  if (!filter.state.includes(after)) return null;
  const changed = state === undefined ? {} : { state, changedBy: username, ignoredUntil: ignoredUntil ?? null };
  const fault = { ...row.fault, ...changed, ...(note === undefined ? {} : { note: note.content }) };
  const inProgress = state === 'in-progress' ? (row.group?.faults ?? 0) : 0;
  const group = row.group === null || state === undefined ? row.group : { ...row.group, inProgress };
  return { ...row, fault, group };
}
