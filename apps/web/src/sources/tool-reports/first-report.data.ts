import {
  deleteTestRuns,
  getIntakeToken,
  type ReportedJob,
  reportRun,
  TEST_TOOL,
} from '@keepwatch/contract/tool-reports/tool-reports';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../kit/api.ts';
import { useLive } from '../../kit/live/use-live.ts';
import { useApi, useClock, useToasts, useUser } from '../../kit/portal.tsx';
import { KEY } from './intake-tokens.data.ts';
import { testOf } from './report-lines.ts';

const POLL_MS = 5_000;
/** Ten minutes: who still has the dialog open then hears of a report by its event. */
const POLLS_MAX = 120;

/** The jobs that were reported with a token, the newest run first. Heard at once; asked for as well, where no events get through. */
export function useReportedJobs(tokenId: string): readonly ReportedJob[] {
  const api = useApi();
  const queryKey = [...KEY, 'reported', tokenId];
  useLive('executions.changed', queryKey);
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.request(getIntakeToken, { params: { id: tokenId } }, signal),
    refetchInterval: ({ state }) => {
      const hasBackup = state.data?.data.jobs.some(({ tool }) => tool !== TEST_TOOL) ?? false;
      return hasBackup || state.dataUpdateCount >= POLLS_MAX ? false : POLL_MS;
    },
  });
  return data?.data.jobs ?? [];
}

/** Reports a test run as a tool does, with the token alone. */
export function useTestRun(token: string, jobName: string) {
  const api = useApi();
  const clock = useClock();
  const { name } = useUser();
  const settle = useSettled();
  return useMutation({
    mutationFn: () => {
      const at = clock.now().toISOString();
      const message = `Sent by ${name} from the portal, to try the token. Nothing was backed up.`;
      const run = { tool: TEST_TOOL, startedAt: at, endedAt: at, result: 'Success', message };
      const { jobName: job } = testOf({ address: '', jobName });
      return api.request(reportRun, { params: { token }, query: { job }, text: JSON.stringify(run) });
    },
    ...settle,
  });
}

/** Removes the test runs of a token, with their job. */
export function useDeleteTestRuns(tokenId: string) {
  const api = useApi();
  const toasts = useToasts();
  const settle = useSettled();
  return useMutation({
    mutationFn: () => api.request(deleteTestRuns, { params: { id: tokenId } }),
    onSuccess: () => toasts.success('The test run is removed.'),
    ...settle,
  });
}

function useSettled() {
  const toasts = useToasts();
  const queries = useQueryClient();
  return {
    onError: (error: Error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  };
}
