import { ATTENTION_MAX, type Attention, getAttention } from '@keepwatch/contract/attention/attention';
import { useQuery } from '@tanstack/react-query';
import { useLive } from '../kit/live/use-live.ts';
import { useApi } from '../kit/portal.tsx';
import styles from './entry-count.module.css';

const KEY = ['attention'];
/** Not everything that is counted announces itself. */
const AGAIN_MS = 60_000;

const WORDS: Readonly<Record<keyof Attention, string>> = {
  faults: 'open',
  checks: 'to review',
  unassigned: 'not assigned',
  failedJobs: 'failed',
  downloads: 'ready',
};

/** How many things wait beside an entry of the sidebar; nothing where none does. All entries share one question. */
export default function EntryCount({ of }: { of: keyof Attention }) {
  const count = useAttention()?.[of] ?? 0;
  if (count === 0) return null;
  const text = count < ATTENTION_MAX ? String(count) : `${ATTENTION_MAX - 1}+`;
  return (
    <span className={styles.count} title={`${text} ${WORDS[of]}`}>
      {text}
      <span className="visually-hidden"> {WORDS[of]}</span>
    </span>
  );
}

function useAttention(): Attention | undefined {
  const api = useApi();
  useLive('executions.changed', KEY);
  useLive('sync.changed', KEY);
  useLive('m365-jobs.changed', KEY);
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.request(getAttention, {}, signal),
    select: (reply) => reply.data,
    refetchInterval: AGAIN_MS,
  });
  return data;
}
