import { exportJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { messageOf } from '../kit/api.ts';
import { formatCount } from '../kit/format/numbers.ts';
import { useApi, useClock, useToasts } from '../kit/portal.tsx';
import { csvFileName, downloads, pickFile } from '../kit/save-file.ts';
import type { ExecutionSort } from './daily-checks.data.ts';
import type { RunQuery } from './filters.ts';

/** From so many rows on (some 10 MB) the person picks the file, so that the browser need not buffer it. */
const PICK_ROWS = 20_000;
/** Progress is shown no more often than this. */
const SHOW_MS = 100;

/** Saving what the filters leave as CSV: starting it, how far it is, stopping it. */
export interface Export {
  start: () => void;
  stop: () => void;
  isRunning: boolean;
  /** Saved so far. */
  rows: number;
}

export function useExport(runQuery: RunQuery, sort: ExecutionSort, count: number | null): Export {
  const api = useApi();
  const toasts = useToasts();
  const clock = useClock();
  const stopping = useRef(new AbortController());
  const [rows, setRows] = useState(0);
  const saving = useMutation({
    mutationFn: async () => {
      const { signal } = stopping.current;
      const file = { name: csvFileName('DailyChecks', clock.now()), type: 'text/csv' };
      const target = (count ?? 0) >= PICK_ROWS ? await pickFile(file) : downloads(file);
      if (target === null) return;
      const body = { source: 'JOBS', format: 'csv', ...runQuery, sort } as const;
      const progress = latest(setRows);
      await target.save(() =>
        api.download(exportJobExecutions, { body }, { signal, onProgress: (now) => progress.take(now.rows) }),
      );
      toasts.success(`${formatCount(progress.last())} runs saved as ${target.name}.`);
    },
    onError: (error) => {
      if (stopping.current.signal.aborted) toasts.info('Export stopped, nothing was saved.');
      else toasts.error(messageOf(error));
    },
  });
  const start = () => {
    stopping.current = new AbortController();
    setRows(0);
    saving.mutate();
  };
  return { start, stop: () => stopping.current.abort(), isRunning: saving.isPending, rows };
}

/** Passes on what it is given, but not for every piece of a file. */
function latest(show: (rows: number) => void) {
  let rows = 0;
  let shownAtMs = 0;
  return {
    take(next: number) {
      rows = next;
      if (performance.now() - shownAtMs < SHOW_MS) return;
      shownAtMs = performance.now();
      show(rows);
    },
    last: () => rows,
  };
}
