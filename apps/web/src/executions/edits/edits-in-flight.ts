import type { JobExecution, JobExecutionChange } from '@keepwatch/contract/executions/job-executions';
import { useMemo, useRef, useState } from 'react';
import type { Outcome } from '../../entities/run-edits/send-edit.ts';
import type { Edit } from '../../entities/run-edits/undo.ts';
import { overlayRows } from '../../kit/data-table/overlay-rows.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { belongs, type RunQuery } from '../filters.ts';

/** The change of each run whose edit has not been answered yet. */
export type ChangesInFlight = ReadonlyMap<string, JobExecutionChange>;

const NONE: ChangesInFlight = new Map();

/**
 * Edits that are on their way. A key that is pressed again before the reply sends nothing for the same runs, and two different
 * changes of one run go one after the other, so that the last one counts at the server too.
 */
export function useEditsInFlight() {
  const [changes, setChanges] = useState(NONE);
  const answers = useRef(new Map<string, { change: JobExecutionChange; answered: Promise<Outcome> }>());
  const making = useMemo(() => {
    const show = () => setChanges(new Map([...answers.current].map(([id, { change }]) => [id, change])));
    /** The runs for which just this is not on its way already, and what becomes of those for which it is. */
    const fresh = ({ ids, change }: Edit) => {
      const isFresh = (id: string) => !isSame(answers.current.get(id)?.change, change);
      const sent = ids.find((id) => !isFresh(id));
      return {
        ids: ids.filter(isFresh),
        earlier: sent === undefined ? undefined : answers.current.get(sent)?.answered,
      };
    };
    const send = ({ ids, change }: Edit, request: () => Promise<Outcome>): Promise<Outcome> => {
      const earlier = ids.flatMap((id) => answers.current.get(id)?.answered ?? []);
      const answered = earlier.length === 0 ? request() : Promise.all(earlier).then(request);
      for (const id of ids) answers.current.set(id, { change, answered });
      show();
      return answered;
    };
    /** The list below has the change, or never will. */
    const end = ({ ids, change }: Edit) => {
      for (const id of ids) if (answers.current.get(id)?.change === change) answers.current.delete(id);
      show();
    };
    return { fresh, send, end };
  }, []);
  return { changes, ...making };
}

function isSame(one: JobExecutionChange | undefined, other: JobExecutionChange): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

/** The list as it will be once every edit on its way has been answered. */
export function useRunsAfter(
  pages: Pages<JobExecution>,
  changes: ChangesInFlight,
  runQuery: RunQuery,
): Pages<JobExecution> {
  return useMemo(() => {
    if (changes.size === 0) return pages;
    return overlayRows(pages, (run) => {
      const change = changes.get(run._id);
      return change === undefined ? run : rowAfter(run, change, runQuery);
    });
  }, [pages, changes, runQuery]);
}

/** What the change makes of a row; `null`: it leaves the list. */
export function rowAfter(run: JobExecution, change: JobExecutionChange, runQuery: RunQuery): JobExecution | null {
  const changed = changedRun(run, change);
  return belongs(changed.state, runQuery) ? changed : null;
}

function changedRun(run: JobExecution, { state, note, ignoredUntil }: JobExecutionChange): JobExecution {
  return {
    ...run,
    ...(state === undefined ? {} : { state, ignoredUntil: ignoredUntil ?? null }),
    ...(note === undefined ? {} : { note: note.content }),
  };
}
