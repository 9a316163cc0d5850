import type { RestoreSession } from '@keepwatch/contract/restore/sessions';
import { Button, TextInput } from '@mantine/core';
import { type Dispatch, lazy, type SetStateAction, Suspense, useEffect, useMemo, useState } from 'react';
import { messageOf } from '../../kit/api.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import type { OrganizationRef } from '../points/points.data.ts';
import type { RestoreToken } from '../points/sign-in.data.ts';
import type { ChangeAddress, ExplorerAddress } from './address.ts';
import type { EntrySort, RestoreApplication } from './application.ts';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { useEntries, useLevels } from './entries.data.ts';
import { type Entry, entryIn, isContainer, keyOf, objectEntry } from './entry.ts';
import { capital, EntryList } from './entry-list.tsx';
import styles from './explorer.module.css';
import { HitList } from './hit-list.tsx';
import { HitPlace } from './hit-place.tsx';
import { type OpenItem, readOpen, readPath, writeOpen, writePath } from './path.ts';
import { type Hit, useHits } from './search.data.ts';
import { TrayBar } from './tray-bar.tsx';
import { Tree } from './tree.tsx';
import { treeRows } from './tree-rows.ts';
import type { Tray } from './use-tray.ts';

const PreviewPanel = lazy(() =>
  import('../preview/preview-panel.tsx').then(({ PreviewPanel: part }) => ({ default: part })),
);
const RestoreDialog = lazy(() =>
  import('../operations/restore-dialog.tsx').then(({ RestoreDialog: part }) => ({ default: part })),
);
const DownloadDialog = lazy(() =>
  import('../downloads/download-dialog.tsx').then(({ DownloadDialog: part }) => ({ default: part })),
);

interface BrowserProps {
  application: RestoreApplication;
  organization: OrganizationRef;
  session: RestoreSession;
  tray: Tray;
  /** The nodes of the tree that are unfolded. */
  unfolding: readonly [ReadonlyMap<string, Entry>, Dispatch<SetStateAction<ReadonlyMap<string, Entry>>>];
  address: ExplorerAddress;
  change: ChangeAddress;
  onEnded: () => void;
  onSignedIn: (token: RestoreToken) => void;
}

/** A dialog over the explorer, with what it is about. */
type Act =
  | { kind: 'restore'; entries: readonly Entry[]; earlierVersion?: string }
  | { kind: 'download'; entries: readonly Entry[] };

/** Tree, list and preview of a session, and what is done with the selection. */
export function Browser(props: BrowserProps) {
  const { application, session, tray, address, change } = props;
  const [act, setAct] = useState<Act | null>(null);
  const path = useMemo(() => readPath(address.at), [address.at]);
  const open = readOpen(address.open);
  const openPath = (next: readonly Entry[]) =>
    change({ at: writePath(next), open: '', search: '', sort: '' }, { push: true });
  return (
    <>
      <div className={styles.panes}>
        <TreePane {...props} path={path} openPath={openPath} />
        <div className={styles.main}>
          <Breadcrumbs application={application} path={path} onOpen={openPath} onSelect={tray.add} />
          {address.search === '' ? (
            <Listing {...props} path={path} openPath={openPath} />
          ) : (
            <Searching {...props} path={path} openPath={openPath} />
          )}
        </div>
        {open !== null && (
          <Suspense>
            <PreviewPanel
              sessionId={session.id}
              item={open}
              onClose={() => change({ open: '' })}
              onRestoreVersion={(name, version) =>
                setAct({ kind: 'restore', entries: [fileEntry(open, name)], earlierVersion: version })
              }
            />
          </Suspense>
        )}
      </div>
      <TrayBar
        entries={tray.entries}
        onClear={tray.clear}
        onDownload={() => setAct({ kind: 'download', entries: tray.entries })}
        onRestore={() => setAct({ kind: 'restore', entries: tray.entries })}
      />
      {act !== null && <Acting {...props} act={act} onClose={() => setAct(null)} />}
    </>
  );
}

/** The dialog of what is done with the selection. */
function Acting({
  application,
  organization,
  session,
  onSignedIn,
  act,
  onClose,
}: BrowserProps & { act: Act; onClose: () => void }) {
  const { entries } = act;
  return (
    <Suspense>
      {act.kind === 'restore' ? (
        <RestoreDialog
          {...{ application, organization, session, entries, onSignedIn, onClose }}
          earlierVersion={act.earlierVersion}
        />
      ) : (
        <DownloadDialog {...{ application, entries, onClose }} sessionId={session.id} />
      )}
    </Suspense>
  );
}

/** The file of which an earlier version is restored. */
function fileEntry({ type, objectId, itemId }: OpenItem, name: string): Entry {
  return entryIn(objectEntry(type, objectId, name), type, itemId, name);
}

interface PaneProps extends BrowserProps {
  path: readonly Entry[];
  openPath: (path: readonly Entry[]) => void;
}

function TreePane({ application, session, unfolding, address, change, onEnded, path, openPath }: PaneProps) {
  const [unfolded, setUnfolded] = unfolding;
  const levels = useLevels({ application, sessionId: session.id, search: address.name, onEnded }, [
    ...unfolded.values(),
  ]);
  const fold = (entry: Entry, isUnfolded: boolean) => {
    const next = new Map(unfolded);
    if (isUnfolded) next.set(keyOf(entry), entry);
    else next.delete(keyOf(entry));
    setUnfolded(next);
  };
  // What is opened from the list or by a link is shown in the tree, too.
  useEffect(() => {
    setUnfolded((before) => {
      const above = path.slice(0, -1).filter((entry) => !before.has(keyOf(entry)));
      return above.length === 0
        ? before
        : new Map([...before, ...above.map((entry) => [keyOf(entry), entry] as const)]);
    });
  }, [path, setUnfolded]);
  const label = `Find ${application.objects.many}`;
  return (
    <div className={styles.side}>
      <TextInput
        aria-label={label}
        placeholder={label}
        type="search"
        maxLength={200}
        value={address.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Tree
        label={capital(application.objects.many)}
        rows={treeRows(application, levels)}
        open={path.at(-1)}
        onOpen={openPath}
        onFold={fold}
      />
    </div>
  );
}

function Listing({ application, session, tray, address, change, onEnded, path, openPath }: PaneProps) {
  const node = path.at(-1) ?? null;
  const search = node === null ? address.name : '';
  const sort = address.sort === '' ? firstSort(node) : address.sort;
  const pages = useEntries({ application, sessionId: session.id, node, search, sort, onEnded });
  const openEntry = (entry: Entry) => {
    if (isContainer(entry)) openPath([...path, entry]);
    else if (entry.itemId !== null) change({ open: writeOpen({ ...entry, itemId: entry.itemId }) });
  };
  const open = readOpen(address.open);
  return (
    <>
      <EntryList
        application={application}
        node={node}
        pages={pages}
        tray={tray}
        sort={sort}
        onSort={(next) => change({ sort: next })}
        openKey={open === null ? null : keyOf(open)}
        onOpen={openEntry}
      />
      <MoreFailed pages={pages} />
    </>
  );
}

function Searching({ application, session, tray, address, change, path, openPath }: PaneProps) {
  const [hit, setHit] = useState<Hit | null>(null);
  const [isHere, setHere] = useState(path.length > 0);
  const object = path[0];
  const objectId = isHere ? (path.at(-1)?.objectId ?? null) : null;
  const pages = useHits(application, session.id, { text: address.search, allTime: address.all, objectId });
  const openHit = (next: Hit) => {
    const { entry } = next;
    setHit(next);
    if (entry.itemId !== null) change({ open: writeOpen({ ...entry, itemId: entry.itemId }) });
  };
  const isShown = hit !== null && address.open !== '';
  return (
    <>
      {object !== undefined && (
        <p className={styles.notice}>
          {isHere ? `Searching in ${path.at(-1)?.objectName ?? object.objectName}.` : 'Searching everywhere.'}{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => setHere(!isHere)}>
            {isHere ? 'Search everywhere' : `Search in ${path.at(-1)?.objectName ?? object.objectName}`}
          </Button>
        </p>
      )}
      {isShown && (
        <HitPlace
          application={application}
          hit={hit}
          onOpenFolder={openPath}
          onPoint={(point) => change({ point }, { push: true })}
        />
      )}
      <HitList
        pages={pages}
        tray={tray}
        text={address.search}
        openKey={isShown ? keyOf(hit.entry) : null}
        onOpen={openHit}
      />
      <MoreFailed pages={pages} />
    </>
  );
}

/** Mail is looked for by when it came, everything else by its name. */
function firstSort(node: Entry | null): EntrySort {
  return node?.type === 'mail-folder' || node?.type === 'calendar' ? '-date' : 'name';
}

/** Rows are there, but those that follow could not be read. */
function MoreFailed<Row>({ pages }: { pages: Pages<Row> }) {
  if (pages.error === null || pages.count === null) return null;
  return (
    <p className={styles.notice} role="alert">
      {messageOf(pages.error)}{' '}
      <Button variant="subtle" size="compact-sm" onClick={pages.retry}>
        Try again
      </Button>
    </p>
  );
}
