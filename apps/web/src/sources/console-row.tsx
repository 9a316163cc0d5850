import { ActionIcon, Button } from '@mantine/core';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import { formatDateTime, formatRelative } from '../kit/format/dates.ts';
import { formatCount } from '../kit/format/numbers.ts';
import { MenuItem } from '../kit/panel/menu-item.tsx';
import { Panel } from '../kit/panel/panel.tsx';
import { useClock } from '../kit/portal.tsx';
import { FailedEntities } from './failed-entities.tsx';
import type { Source } from './sources.data.ts';
import styles from './sources.module.css';
import { SyncStatus } from './sync-status.tsx';

interface ConsoleRowProps {
  source: Source;
  onSync: () => void;
  onEnable: (isEnabled: boolean) => void;
  onEdit: () => void;
  onDisconnect: () => void;
  onUnmatched: () => void;
}

export function ConsoleRow({ source, onSync, onEnable, onEdit, onDisconnect, onUnmatched }: ConsoleRowProps) {
  const { name, label, isEnabled, status, lastSync, syncIntervalMinutes, jobs, unmatchedRuns, failed } = source;
  const now = useClock().now();
  return (
    <li className={styles.console}>
      <div className={styles.row}>
        <div className={styles.names}>
          <h3>{name}</h3>
          <span className={styles.muted}>
            {label} · every {syncIntervalMinutes === 1 ? 'minute' : `${syncIntervalMinutes} minutes`}
          </span>
        </div>
        <div className={styles.status}>
          <SyncStatus status={status} isEnabled={isEnabled} />
          <span className={styles.muted} title={formatDateTime(lastSync)}>
            {lastSync === null ? 'not synced yet' : `synced ${formatRelative(lastSync, now)}`}
          </span>
        </div>
        <div className={styles.counts}>
          <span>{formatCount(jobs)} jobs</span>
          {unmatchedRuns > 0 && (
            <button type="button" className={styles.textButton} onClick={onUnmatched}>
              {formatCount(unmatchedRuns)} unmatched runs
            </button>
          )}
        </div>
        <div className={styles.actions}>
          <Button variant="default" disabled={!isEnabled || status === 'RUNNING'} onClick={onSync}>
            Sync now
          </Button>
          <Button variant="default" onClick={onEdit}>
            Edit
          </Button>
          <Panel
            label={`More for ${name}`}
            align="end"
            trigger={(props) => (
              <ActionIcon {...props} aria-label={`More for ${name}`}>
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            )}
          >
            {(close) => {
              const choose = (act: () => void) => () => {
                close();
                act();
              };
              return (
                <>
                  <MenuItem onClick={choose(() => onEnable(!isEnabled))}>{isEnabled ? 'Disable' : 'Enable'}</MenuItem>
                  <MenuItem isDanger onClick={choose(onDisconnect)}>
                    Disconnect…
                  </MenuItem>
                </>
              );
            }}
          </Panel>
        </div>
      </div>
      {failed.length > 0 && <FailedEntities failed={failed} />}
    </li>
  );
}
