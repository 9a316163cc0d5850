import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import { ActionIcon, Button } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { IgnoreChoices } from '../../entities/ignore/ignore-choices.tsx';
import { ResultBadge } from '../../entities/result-badge.tsx';
import type { Edit } from '../../entities/run-edits/undo.ts';
import { StateBadge } from '../../entities/state-badge.tsx';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { ShortcutPanel } from '../../kit/panel/shortcut-panel.tsx';
import { changedText } from '../edits/changed-by.ts';
import styles from './execution-drawer.module.css';

interface DrawerHeadProps {
  run: JobExecution;
  /** `3 of 120`; empty where the run is not in the list. */
  place: string;
  canEdit: boolean;
  onEdit: (change: Edit['change']) => Promise<boolean>;
  /** Moves to the next (`1`) or previous (`-1`) run, if there is one. */
  onMove: (step: 1 | -1) => void;
  onClose: () => void;
}

/** Which run it is, how it ended, what has been made of it and what can be. */
export function DrawerHead({ run, place, canEdit, onEdit, onMove, onClose }: DrawerHeadProps) {
  const { timeZone } = useBackupClock();
  const changed = changedText(run, timeZone);
  return (
    <header className={styles.head}>
      <div className={styles.titleRow}>
        <h2 className={styles.title}>{run.jobName}</h2>
        <span className={styles.place}>{place}</span>
        <ActionIcon
          aria-label="Previous run"
          title="Previous run (k)"
          disabled={place === ''}
          onClick={() => onMove(-1)}
        >
          <IconChevronUp size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon aria-label="Next run" title="Next run (j)" disabled={place === ''} onClick={() => onMove(1)}>
          <IconChevronDown size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon aria-label="Close" title="Close (Escape)" onClick={onClose}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
      <div className={styles.facts}>
        <span>{run.companyName ?? 'No company'}</span>
        {run.tool !== null && <span className={styles.muted}>{run.tool}</span>}
        <ResultBadge result={run.result} />
        <StateBadge state={run.state} />
        {run.state === 'ignored' && run.ignoredUntil !== null && (
          <span className={styles.muted}>until {formatDateTime(run.ignoredUntil, timeZone)}</span>
        )}
        {changed !== null && <span className={styles.muted}>{changed}</span>}
      </div>
      {canEdit && <StateButtons run={run} onEdit={onEdit} />}
    </header>
  );
}

function StateButtons({ run, onEdit }: Pick<DrawerHeadProps, 'run' | 'onEdit'>) {
  return (
    <div className={styles.actions}>
      {run.state === 'resolved' || run.state === 'ignored' ? (
        <Button variant="default" onClick={() => void onEdit({ state: 'pending' })}>
          Reopen
        </Button>
      ) : (
        <Button title="Resolve (r)" onClick={() => void onEdit({ state: 'resolved' })}>
          Resolve
        </Button>
      )}
      <Button
        variant="default"
        title="In progress (p)"
        disabled={run.state === 'in-progress'}
        onClick={() => void onEdit({ state: 'in-progress' })}
      >
        In progress
      </Button>
      <ShortcutPanel
        word="Ignore"
        label="Ignore this run"
        keys="i"
        content={(close) => (
          <IgnoreChoices
            of="run"
            onChoose={(until) => {
              close();
              void onEdit({ state: 'ignored', ...(until === null ? {} : { ignoredUntil: until }) });
            }}
          />
        )}
      />
    </div>
  );
}
