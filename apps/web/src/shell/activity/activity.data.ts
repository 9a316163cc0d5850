import { listM365Jobs, stopM365Job } from '@keepwatch/contract/microsoft365/jobs';
import { cancelDownload, listDownloads } from '@keepwatch/contract/restore/downloads';
import { cancelRestoreOperation, listRestoreOperations } from '@keepwatch/contract/restore/sessions';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Api, messageOf } from '../../kit/api.ts';
import { useAllows, useApi, useToasts } from '../../kit/portal.tsx';
import { type Activity, activitiesOf } from './activity-words.ts';

const MICROSOFT365_KEY = ['o365'];
const KEY = [...MICROSOFT365_KEY, 'activity'];
const PROGRESS_MS = 2_000;
/** Of each kind: more is on the screens themselves. */
const MOST = 10;

/** What runs, and what of the user's own ended lately; read again as long as it is shown. */
export function useActivities() {
  const api = useApi();
  const seesJobs = useAllows('o365.jobs');
  const restores = useAllows('o365.restorePortal');
  return useQuery({
    queryKey: [...KEY, { seesJobs, restores }],
    queryFn: async ({ signal }) => {
      const place = { limit: MOST, offset: 0 };
      const [jobs, operations, downloads] = await Promise.all([
        seesJobs ? api.request(listM365Jobs, { query: { ...place, status: ['Running'] } }, signal) : null,
        restores ? api.request(listRestoreOperations, { query: place }, signal) : null,
        restores ? api.request(listDownloads, { body: place }, signal) : null,
      ]);
      return activitiesOf({
        jobs: jobs?.data ?? [],
        operations: operations?.data ?? [],
        downloads: downloads?.results ?? [],
      });
    },
    refetchInterval: PROGRESS_MS,
  });
}

/** Ends what is under way. */
export function useEndActivity() {
  const api = useApi();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (activity: Activity) => end(api, activity),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: MICROSOFT365_KEY }),
  });
}

function end(api: Api, { kind, id, organizationId }: Activity): Promise<unknown> {
  if (kind === 'run') return api.request(stopM365Job, { params: { jobId: id }, body: { organizationId } });
  const body = { action: 'cancel' } as const;
  if (kind === 'download') return api.request(cancelDownload, { params: { id }, body });
  return api.request(cancelRestoreOperation, { params: { operationId: id }, body });
}
