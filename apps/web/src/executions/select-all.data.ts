import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../kit/api.ts';
import type { Selection } from '../kit/data-table/selection.ts';
import { useApi, useToasts } from '../kit/portal.tsx';
import type { ExecutionSort } from './daily-checks.data.ts';
import type { RunQuery } from './filters.ts';

/** So many runs can be acted on at once; beyond it a rule is the better tool. */
export const SELECT_MAX = 10_000;
const READ_ROWS = 1_000;

/** Chooses every run of the list, also those that are not loaded, up to `SELECT_MAX` from its top. */
export function useSelectAll(runQuery: RunQuery, sort: ExecutionSort, selection: Selection) {
  const api = useApi();
  const toasts = useToasts();
  return useMutation({
    mutationFn: async () => {
      const ids: string[] = [];
      for (let offset = 0; offset < SELECT_MAX; offset += READ_ROWS) {
        const query = { limit: READ_ROWS, offset, ...runQuery, sort };
        const { data } = await api.request(listJobExecutions, { query });
        ids.push(...data.map((run) => run._id));
        if (data.length < READ_ROWS) break;
      }
      return ids;
    },
    onSuccess: (ids) => selection.set(ids, true),
    onError: (error) => toasts.error(messageOf(error)),
  });
}
