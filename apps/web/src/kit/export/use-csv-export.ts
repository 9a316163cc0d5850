import type { Call, CallRequest, FileReply } from '@keepwatch/contract/wire/call';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { messageOf } from '../api.ts';
import { useBackupClock } from '../backup-clock.ts';
import { formatCount } from '../format/numbers.ts';
import { useApi, useClock, useToasts } from '../portal.tsx';
import { csvFileName, downloads, pickFile } from '../save-file.ts';

/** From so many rows on (some 10 MB) the person picks the file, so that the browser need not buffer it. */
const PICK_ROWS = 20_000;
/** Progress is shown no more often than this. */
const SHOW_MS = 100;

/** Saving what the filters leave as CSV: starting it, how far it is, stopping it. */
export interface CsvExport {
  start: () => void;
  stop: () => void;
  isRunning: boolean;
  /** Saved so far. */
  rows: number;
  /** What a row is one of: `runs`. */
  noun: string;
}

interface CsvExportOptions<C> {
  /** Of the file, before its timestamp: `DailyChecks`. */
  name: string;
  noun: string;
  input: CallRequest<C & Call>;
  /** Rows of the list; `null` until that is known. */
  count: number | null;
}

/** Saves what a call exports. */
export function useCsvExport<C extends Call & { reply: FileReply<'text/csv'> }>(
  call: C,
  { name, noun, input, count }: CsvExportOptions<C>,
): CsvExport {
  const api = useApi();
  const toasts = useToasts();
  const clock = useClock();
  const { timeZone } = useBackupClock();
  const stopping = useRef(new AbortController());
  const [rows, setRows] = useState(0);
  const saving = useMutation({
    mutationFn: async () => {
      const { signal } = stopping.current;
      const file = { name: csvFileName(name, timeZone, clock.now()), type: 'text/csv' };
      const target = (count ?? 0) >= PICK_ROWS ? await pickFile(file) : downloads(file);
      if (target === null) return;
      const progress = latest(setRows);
      await target.save(() => api.download(call, input, { signal, onProgress: (now) => progress.update(now.rows) }));
      toasts.success(`${formatCount(progress.last())} ${noun} saved as ${target.name}.`);
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
  return { start, stop: () => stopping.current.abort(), isRunning: saving.isPending, rows, noun };
}

/** Passes on what it is given, but not for every piece of a file. */
function latest(show: (rows: number) => void) {
  let rows = 0;
  let shownAtMs = 0;
  return {
    update(next: number) {
      rows = next;
      if (performance.now() - shownAtMs < SHOW_MS) return;
      shownAtMs = performance.now();
      show(rows);
    },
    last: () => rows,
  };
}
