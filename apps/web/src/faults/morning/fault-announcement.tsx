import { nameOfJob } from '../../entities/job-name.ts';
import { useFault } from '../faults.data.ts';
import type { Morning } from './use-morning.ts';

/** Says which fault has come. It is there before its text: a region that comes with its text is not read out. */
export function FaultAnnouncement({ morning: { currentId, faults, isRead } }: { morning: Morning }) {
  const { data } = useFault(currentId);
  const fault = faults.find(({ _id }) => _id === currentId) ?? data?.data;
  const end = isRead ? 'Nothing is left to decide.' : '';
  return (
    <p className="visually-hidden" aria-live="polite">
      {currentId === null ? end : fault === undefined ? '' : nameOfJob(fault)}
    </p>
  );
}
