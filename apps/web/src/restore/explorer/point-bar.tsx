import type { RestorePoint, RestoreSession } from '@keepwatch/contract/restore/sessions';
import { ActionIcon, Button } from '@mantine/core';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import { lazy, Suspense } from 'react';
import { OrganizationChoice } from '../../entities/organization-choice.tsx';
import { FilterBar } from '../../kit/filters/filter-bar.tsx';
import { FilterButton } from '../../kit/filters/filter-button.tsx';
import { SearchInput } from '../../kit/filters/search-input.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { Panel } from '../../kit/panel/panel.tsx';
import { useShortcut } from '../../kit/shortcuts/use-shortcut.ts';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import { ToggleButton } from '../../kit/toggle-button.tsx';
import type { ChangeAddress, ExplorerAddress } from './address.ts';
import type { RestoreApplication } from './application.ts';
import styles from './explorer.module.css';

const PointCalendar = lazy(() =>
  import('../points/point-calendar.tsx').then(({ PointCalendar: component }) => ({ default: component })),
);

interface PointBarProps {
  application: RestoreApplication;
  organizationId: string | null;
  /** Those that the explorer can show, newest first. */
  points: readonly RestorePoint[];
  point: RestorePoint | null;
  /** When the chosen one was made, or what was asked for. */
  datetime: string;
  onPoint: (datetime: string) => void;
  address: ExplorerAddress;
  change: ChangeAddress;
  session: RestoreSession | undefined;
  onSignIn: () => void;
  onStop: () => void;
}

/** Organization, restore point and search: what of the backup is looked at. */
export function PointBar(props: PointBarProps) {
  const { organizationId, session, address, change, onSignIn, onStop } = props;
  return (
    <FilterBar
      isWrapped
      end={
        session !== undefined && (
          <>
            {session.token === null ? (
              <Button variant="default" className={styles.signIn} onClick={onSignIn}>
                Sign in to restore
              </Button>
            ) : (
              <span className={styles.detail}>Restores as {session.token.account}</span>
            )}
            <Button variant="subtle" onClick={onStop}>
              Stop session
            </Button>
          </>
        )
      }
    >
      <div className={styles.organization}>
        <OrganizationChoice
          feature="restore"
          organizationId={organizationId}
          onChange={(id) => change({ organization: id ?? '', point: '', at: [], name: '', search: '', open: '' })}
        />
      </div>
      <div className={styles.when}>
        {organizationId !== null && props.datetime !== '' && <PointChoice {...props} organizationId={organizationId} />}
        {session !== undefined && (
          <ToggleButton isOn={address.deleted} onChange={(deleted) => change({ deleted })}>
            Show deleted
          </ToggleButton>
        )}
      </div>
      {session !== undefined && (
        <div className={styles.find}>
          <div className={styles.items}>
            <SearchInput
              label="Search items"
              value={address.search}
              onChange={(search) => change({ search, open: '' })}
            />
          </div>
          <ToggleButton
            isOn={address.filters || address.search !== ''}
            onChange={(filters) => change(filters ? { filters } : { filters, search: '', open: '' })}
          >
            Search filters
          </ToggleButton>
        </div>
      )}
    </FilterBar>
  );
}

/** Steps through the restore points, and the calendar. */
function PointChoice({
  application,
  organizationId,
  points,
  point,
  datetime,
  onPoint,
}: PointBarProps & { organizationId: string }) {
  const newer = points.findLast(({ backupTime }) => Date.parse(backupTime) > Date.parse(datetime));
  const older = points.find(({ backupTime }) => Date.parse(backupTime) < Date.parse(point?.backupTime ?? datetime));
  const step = (to: RestorePoint | undefined) => to !== undefined && onPoint(to.backupTime);
  useShortcut('[', 'Previous restore point', () => step(older), older === undefined);
  useShortcut(']', 'Next restore point', () => step(newer), newer === undefined);
  const partial = point?.isPartial === true ? ' (partial)' : '';
  return (
    <div className={styles.point}>
      <ActionIcon
        variant="subtle"
        aria-label="Previous restore point"
        disabled={older === undefined}
        onClick={() => step(older)}
      >
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <Panel
        label="Restore points"
        trigger={(button) => (
          <FilterButton
            {...button}
            label="Restore point"
            isNarrowed={false}
            chosen={[`${formatDateTime(datetime)}${partial}`]}
          />
        )}
      >
        {(close) => (
          <Suspense fallback={<SkeletonRows rows={6} />}>
            <PointCalendar
              organizationId={organizationId}
              has={application.has}
              chosen={point?.backupTime ?? datetime}
              onChoose={({ backupTime }) => {
                close();
                onPoint(backupTime);
              }}
            />
          </Suspense>
        )}
      </Panel>
      <ActionIcon
        variant="subtle"
        aria-label="Next restore point"
        disabled={newer === undefined}
        onClick={() => step(newer)}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
