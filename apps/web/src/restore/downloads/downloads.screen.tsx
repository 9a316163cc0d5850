import { SegmentedControl } from '@mantine/core';
import { restoreDownload, restoreDownloads } from '../../entities/places.ts';
import { choiceField, textField, useUrlState } from '../../kit/address/url-state.ts';
import { DataTable } from '../../kit/data-table/data-table.tsx';
import { FilterBar } from '../../kit/filters/filter-bar.tsx';
import type { FieldsOf } from '../../kit/place.ts';
import { useGo, usePlaceParams } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import styles from '../explorer/explorer.module.css';
import { OperationPanel, RestoreTable } from '../operations/restore-table.tsx';
import { DOWNLOAD_COLUMNS } from './download-columns.tsx';
import { DownloadPanel } from './download-panel.tsx';
import { isActive, useDownloads } from './downloads.data.ts';
import { useProgress } from './use-progress.ts';

const FIELDS = {
  view: choiceField(['downloads', 'restores'], 'downloads'),
  open: textField(),
} satisfies FieldsOf<typeof restoreDownloads>;

const VIEWS = [
  { value: 'downloads', label: 'Downloads' },
  { value: 'restores', label: 'Restores' },
];

/** Files that are made in the background, and restores, of the person who began them. */
export default function DownloadsScreen() {
  const [{ view, open }, change] = useUrlState(FIELDS);
  const { fileId = '' }: { fileId?: string } = usePlaceParams(restoreDownload);
  return (
    <div className={styles.explorer}>
      <FilterBar>
        <SegmentedControl
          aria-label="View"
          data={VIEWS}
          value={view}
          onChange={(next) => change({ view: next === 'restores' ? 'restores' : 'downloads', open: '' })}
        />
      </FilterBar>
      <div className={styles.panes}>
        {view === 'restores' ? (
          <>
            <RestoreTable openId={open} onOpen={({ id }) => change({ open: id })} />
            {open !== '' && <OperationPanel id={open} onClose={() => change({ open: '' })} />}
          </>
        ) : (
          <Downloads fileId={fileId} />
        )}
      </div>
    </div>
  );
}

function Downloads({ fileId }: { fileId: string }) {
  const pages = useDownloads();
  const go = useGo();
  useProgress(pages, isActive);
  return (
    <>
      <DataTable
        label="Restore downloads"
        what="the downloads"
        columns={DOWNLOAD_COLUMNS}
        pages={pages}
        rowId={({ id }) => id}
        rowsWord="downloads"
        onOpen={({ id }) => go(restoreDownload.at({ fileId: id }))}
        openId={fileId || null}
        empty={
          <EmptyState
            title="No downloads"
            text="Files that are made in the background appear here. Select something in an explorer and choose Download."
          />
        }
      />
      {fileId !== '' && <DownloadPanel id={fileId} onClose={() => go(restoreDownloads.at())} />}
    </>
  );
}
