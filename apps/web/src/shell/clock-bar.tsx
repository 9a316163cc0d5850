import { Button } from '@mantine/core';
import { useEditBackupClock, useStoredClock } from '../entities/backup-clock.data.ts';
import { messageOf } from '../kit/api.ts';
import { browserClock } from '../kit/backup-clock.ts';
import { zoneWord } from '../kit/format/zones.ts';
import { useAllows, useToasts, useUser } from '../kit/portal.tsx';
import styles from './acting-bar.module.css';

/** Proposes the time zone of the browser to the first administrator who comes, as long as no user has chosen one. */
export default function ClockBar() {
  const { data: stored } = useStoredClock();
  const { timeZone } = browserClock();
  const isWholeProvider = useUser().companyIds === null;
  const canChoose = useAllows('admin.connectors') && isWholeProvider;
  // Some systems call UTC `Etc/UTC`.
  const isUtc = zoneWord(timeZone) === 'UTC';
  if (stored === undefined || stored.isChosen || !canChoose || isUtc) return null;
  return <Proposal proposed={timeZone} />;
}

function Proposal({ proposed }: { proposed: string }) {
  const { mutate, isPending } = useEditBackupClock();
  const toasts = useToasts();
  const choose = (timeZone: string) =>
    mutate({ timeZone, beginHour: 0 }, { onError: (error) => toasts.error(messageOf(error)) });
  return (
    <section className={styles.bar} aria-label="Time zone">
      <p>
        Days are counted in UTC for all users. Your browser is in <strong>{proposed}</strong>.
      </p>
      <span>
        <Button variant="default" size="compact-sm" mr={8} disabled={isPending} onClick={() => choose(proposed)}>
          Use {proposed}
        </Button>
        <Button variant="default" size="compact-sm" disabled={isPending} onClick={() => choose('UTC')}>
          Keep UTC
        </Button>
      </span>
    </section>
  );
}
