import { Button } from '@mantine/core';
import { restoreDownloads } from '../../entities/places.ts';
import { messageOf } from '../../kit/api.ts';
import { formatRelative } from '../../kit/format/dates.ts';
import { ProgressBar } from '../../kit/progress-bar.tsx';
import { ScreenLink, useMayOpen } from '../../kit/screen-link.tsx';
import { useNow } from '../../kit/use-now.ts';
import { useActivities, useEndActivity } from './activity.data.ts';
import styles from './activity.module.css';
import type { Activity } from './activity-words.ts';

const KIND_WORDS: Readonly<Record<Activity['kind'], string>> = {
  run: 'Backup',
  restore: 'Restore',
  download: 'Download',
};
const END_WORDS: Readonly<Record<Activity['kind'], string>> = { run: 'Stop', restore: 'Cancel', download: 'Cancel' };

interface ActivityListProps {
  onLeave: () => void;
}

/** Backups that run, and the restores and downloads of the user, the latest first. */
export function ActivityList({ onLeave }: ActivityListProps) {
  const { data, error } = useActivities();
  const mayRestore = useMayOpen(restoreDownloads);
  return (
    <div className={styles.activity}>
      <h2>Activity</h2>
      {data === undefined && <p className={styles.note}>{error === null ? 'Loading…' : messageOf(error)}</p>}
      {data?.length === 0 && <p className={styles.note}>Nothing is under way.</p>}
      <ul className={styles.list}>
        {data?.map((activity) => (
          <ActivityEntry key={`${activity.kind} ${activity.id}`} activity={activity} onLeave={onLeave} />
        ))}
      </ul>
      {mayRestore && (
        <ScreenLink to={restoreDownloads.at()} onClick={onLeave}>
          All restores and downloads
        </ScreenLink>
      )}
    </div>
  );
}

function ActivityEntry({ activity, onLeave }: { activity: Activity; onLeave: () => void }) {
  const { kind, name, organizationName, isUnderWay, isEnding, ratio, tone, text, to, expectedEnd } = activity;
  const { mutate, isPending } = useEndActivity();
  const end = useNow((now) => (expectedEnd === null ? '' : ` · ends ${formatRelative(expectedEnd, now)}`));
  return (
    <li className={styles.entry}>
      <div>
        <span className={styles.kind}>
          {KIND_WORDS[kind]} · {organizationName}
        </span>
        <ScreenLink to={to} className={styles.name} onClick={onLeave}>
          {name}
        </ScreenLink>
        <ProgressBar ratio={ratio} tone={tone} text={`${text}${end}`} />
      </div>
      {isUnderWay && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${END_WORDS[kind]} ${name}`}
          disabled={isEnding || isPending}
          onClick={() => mutate(activity)}
        >
          {END_WORDS[kind]}
        </Button>
      )}
    </li>
  );
}
