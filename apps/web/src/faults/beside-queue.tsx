import { Button } from '@mantine/core';
import { STATUS } from '../entities/daily-checks.ts';
import { dailyChecks } from '../entities/places.ts';
import type { QueueFilters } from '../entities/queue.ts';
import { formatCount, formatCounted } from '../kit/format/numbers.ts';
import { ScreenLink } from '../kit/screen-link.tsx';
import { useShortcut } from '../kit/shortcuts/use-shortcut.ts';
import styles from './beside-queue.module.css';
import { type FaultFilter, useFaultCount, useRunningCount } from './faults.data.ts';

interface BesideQueueProps {
  filters: QueueFilters;
  filter: FaultFilter;
  canEdit: boolean;
  onResolveHealed: (count: number) => void;
  onShowHealed: () => void;
}

/** What is not to be worked on one by one: faults that are healed, as one line, and jobs that run at this moment. */
export function BesideQueue({ filters, filter, canEdit, onResolveHealed, onShowHealed }: BesideQueueProps) {
  const isOpenOnes = filters.state === 'open';
  const healed = useFaultCount({ ...filter, state: ['healed'] }, isOpenOnes) ?? 0;
  const running = useRunningCount(filter) ?? 0;
  const hasHealed = isOpenOnes && healed > 0;
  const resolve = () => onResolveHealed(healed);
  useShortcut('h', 'Resolve all that is healed', resolve, !canEdit || !hasHealed);
  if (!hasHealed && running === 0) return null;
  const { company, source, managed } = filters;
  return (
    <div className={styles.beside}>
      {hasHealed && (
        <span className={styles.healed}>
          <button type="button" className={styles.link} onClick={onShowHealed}>
            {`${formatCount(healed)} healed`}
          </button>
          <span className={styles.muted}>ran fine since</span>
          {canEdit && (
            <Button variant="default" size="compact-sm" title="Resolve all that is healed (h)" onClick={resolve}>
              Resolve all
            </Button>
          )}
        </span>
      )}
      {running > 0 && (
        <ScreenLink
          to={dailyChecks.at({ ...STATUS, result: ['Running'], company, source, managed })}
          className={styles.running}
        >
          {`${formatCounted(running, 'job', 'jobs')} running now`}
        </ScreenLink>
      )}
    </div>
  );
}
