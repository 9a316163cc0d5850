import type { RestoreSession } from '@keepwatch/contract/restore/sessions';
import { Button } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import { loadedRows } from '../../kit/data-table/pages.ts';
import { SingleFilter } from '../../kit/filters/choice-filter.tsx';
import { FilterButton } from '../../kit/filters/filter-button.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { Panel } from '../../kit/panel/panel.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import type { RestoreApplication } from '../explorer/application.ts';
import { type Entry, keyOf } from '../explorer/entry.ts';
import { NOTHING, useTray } from '../explorer/use-tray.ts';
import { type OrganizationRef, useRestoreSession } from '../points/points.data.ts';
import { ChangeList } from './change-list.tsx';
import { type Change, type ChangeFilter, type Compared, useAllVanished, useChanges } from './comparison.data.ts';
import styles from './comparison.module.css';

const PointCalendar = lazy(() =>
  import('../points/point-calendar.tsx').then(({ PointCalendar: part }) => ({ default: part })),
);

/** What of a comparison is restored or downloaded, and of which restore point. */
export interface ChangeAct {
  kind: 'restore' | 'download';
  entries: readonly Entry[];
  at: string;
}

interface ComparisonProps {
  application: RestoreApplication;
  organization: OrganizationRef;
  session: RestoreSession;
  /** What is compared, with all below it; `null`: what is at the top. */
  node: Entry | null;
  /** The other restore point. */
  datetime: string;
  onPoint: (datetime: string) => void;
  openKey: string | null;
  onOpen: (change: Change, sessionAt: string) => void;
  onAct: (act: ChangeAct) => void;
}

/** A folder at two restore points: what appeared, changed and vanished from the earlier one to the later. */
export function Comparison(props: ComparisonProps) {
  const { application, organization, session, datetime, onPoint } = props;
  const { sessionType } = session;
  const other = useRestoreSession({ organization, sessionType, datetime, showDeleted: false });
  const points = other.data === undefined ? null : inOrder(session, other.data);
  return (
    <>
      <div className={styles.bar}>
        <span>Compared with</span>
        <div className={styles.point}>
          <Panel
            label="Restore point to compare with"
            trigger={(button) => (
              <FilterButton
                {...button}
                label="Point"
                isNarrowed={false}
                chosen={[formatDateTime(other.data?.backupTime ?? datetime)]}
              />
            )}
          >
            {(close) => (
              <Suspense fallback={<SkeletonRows rows={6} />}>
                <PointCalendar
                  organizationId={organization.id}
                  has={application.has}
                  chosen={datetime}
                  onChoose={({ backupTime }) => {
                    close();
                    onPoint(backupTime);
                  }}
                />
              </Suspense>
            )}
          </Panel>
        </div>
        <Button variant="subtle" size="compact-sm" onClick={() => onPoint('')}>
          Close the comparison
        </Button>
      </div>
      {other.error !== null && (
        <ErrorState what="the restore point" error={other.error} onRetry={() => void other.refetch()} />
      )}
      {other.error === null && points === null && <SkeletonRows rows={8} />}
      {points !== null && <Changes {...props} compared={{ ...points, node: props.node }} />}
    </>
  );
}

function inOrder(one: RestoreSession, two: RestoreSession): Omit<Compared, 'node'> {
  return Date.parse(one.backupTime) < Date.parse(two.backupTime)
    ? { earlier: one, later: two }
    : { earlier: two, later: one };
}

const FILTERS: readonly { value: ChangeFilter; label: string }[] = [
  { value: 'all', label: 'All changes' },
  { value: 'vanished', label: 'Vanished' },
  { value: 'changed', label: 'Changed' },
  { value: 'appeared', label: 'Appeared' },
];

function Changes({ application, compared, openKey, onOpen, onAct }: ComparisonProps & { compared: Compared }) {
  const [filter, setFilter] = useState<ChangeFilter>('all');
  const pages = useChanges(application, compared, filter);
  const vanished = useAllVanished(application, compared);
  const tray = useTray(useState(NOTHING), undefined);
  const { earlier, later } = compared;
  const selection = useMemo(() => {
    const loaded = new Map(loadedRows(pages).map(({ entry }) => [keyOf(entry), entry]));
    return tray.selectionIn((key) => loaded.get(key));
  }, [tray, pages]);
  const atOf = ({ item }: Change) => (item.change === 'vanished' ? earlier : later).datetime;
  return (
    <>
      <div className={styles.bar}>
        <SingleFilter label="Change" choices={FILTERS} value={filter} neutral={['all']} onChange={setFilter} />
        <span className={styles.times}>
          From {formatDateTime(earlier.backupTime)} to {formatDateTime(later.backupTime)}
        </span>
        <Button
          variant="default"
          size="compact-sm"
          loading={vanished.isPending}
          onClick={() =>
            vanished.mutate(undefined, {
              onSuccess: (entries) => entries.length > 0 && onAct({ kind: 'restore', entries, at: earlier.datetime }),
            })
          }
        >
          Restore what vanished…
        </Button>
        {vanished.data?.length === 0 && <span role="status">Nothing vanished.</span>}
      </div>
      <ChangeList
        pages={pages}
        selection={selection}
        openKey={openKey}
        onOpen={(change) => onOpen(change, atOf(change))}
      />
      <ChosenChanges entries={tray.entries} onClear={tray.clear} {...{ earlier, later, onAct }} />
    </>
  );
}

interface ChosenProps extends Omit<Compared, 'node'>, Pick<ComparisonProps, 'onAct'> {
  entries: readonly Entry[];
  onClear: () => void;
}

/** What was chosen among the changes: restored as it was before, or saved as it was at either point. */
function ChosenChanges({ entries, earlier, later, onClear, onAct }: ChosenProps) {
  if (entries.length === 0) return null;
  const isGone = entries.every(({ isDeleted }) => isDeleted);
  const [before, after] = [formatDateTime(earlier.backupTime), formatDateTime(later.backupTime)];
  return (
    <section className={styles.chosen} aria-label="Selected changes">
      <p role="status">{entries.length === 1 ? '1 change selected' : `${entries.length} changes selected`}</p>
      <Button variant="subtle" onClick={onClear}>
        Clear
      </Button>
      {!isGone && (
        <Button variant="default" onClick={() => onAct({ kind: 'download', entries, at: later.datetime })}>
          Download as of {after}…
        </Button>
      )}
      <Button variant="default" onClick={() => onAct({ kind: 'download', entries, at: earlier.datetime })}>
        Download as of {before}…
      </Button>
      <Button onClick={() => onAct({ kind: 'restore', entries, at: earlier.datetime })}>Restore as of {before}…</Button>
    </section>
  );
}
