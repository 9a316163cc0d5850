import type { RestoreSession } from '@keepwatch/contract/restore/sessions';
import { Button, TextInput } from '@mantine/core';
import { type Dispatch, lazy, type SetStateAction, Suspense, useEffect, useMemo, useState } from 'react';
import { messageOf } from '../../kit/api.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { capital } from '../../kit/format/words.ts';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import { refusesComparison } from '../compare/comparable.ts';
import type { OrganizationRef } from '../points/points.data.ts';
import type { RestoreToken } from '../points/sign-in.data.ts';
import type { Act } from './acting.tsx';
import type { ChangeAddress, ExplorerAddress } from './address.ts';
import type { EntrySort, RestoreApplication } from './application.ts';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { useEntries, useLevels } from './entries.data.ts';
import { type Entry, isContainer, keyOf } from './entry.ts';
import { EntryList } from './entry-list.tsx';
import styles from './explorer.module.css';
import { readOpen, readPath, writeOpen, writePath } from './path.ts';
import { TrayBar } from './tray-bar.tsx';
import { Tree } from './tree.tsx';
import { treeRows } from './tree-rows.ts';
import { byPoint, type ChosenAt, type Tray } from './use-tray.ts';

const OpenPreview = lazy(() =>
  import('../preview/open-preview.tsx').then(({ OpenPreview: part }) => ({ default: part })),
);
const Acting = lazy(() => import('./acting.tsx').then(({ Acting: part }) => ({ default: part })));
const SearchPane = lazy(() => import('../search/search-pane.tsx').then(({ SearchPane: part }) => ({ default: part })));
const Comparison = lazy(() => import('../compare/comparison.tsx').then(({ Comparison: part }) => ({ default: part })));

interface BrowserProps {
  application: RestoreApplication;
  organization: OrganizationRef;
  session: RestoreSession;
  tray: Tray;
  /** The nodes of the tree that are unfolded. */
  unfolding: readonly [ReadonlyMap<string, Entry>, Dispatch<SetStateAction<ReadonlyMap<string, Entry>>>];
  address: ExplorerAddress;
  change: ChangeAddress;
  /** The restore point that a comparison begins with: the one before. */
  otherPoint: string | null;
  newestPoint: string;
  onEnded: () => void;
  onSignedIn: (token: RestoreToken) => void;
}

/** Tree, list and preview of a session, and what is done with the selection. */
export function Browser(props: BrowserProps) {
  const { application, organization, session, tray, address, change, onSignedIn } = props;
  const [act, setAct] = useState<Act | null>(null);
  const [openedAt, setOpenedAt] = useState({ open: '', at: '' });
  const path = useMemo(() => readPath(address.at), [address.at]);
  const open = readOpen(address.open);
  const openPath = (next: readonly Entry[]) =>
    change({ at: writePath(next), open: '', search: '', filters: false, sort: '' }, { push: true });
  const openItem = (entry: Entry, at = '') => {
    if (entry.itemId === null) return;
    const written = writeOpen({ ...entry, itemId: entry.itemId });
    setOpenedAt({ open: written, at });
    change({ open: written });
  };
  const pane = { ...props, path, openPath, openItem, onAct: setAct };
  const begin = (kind: Act['kind'], { at, entries }: ChosenAt) =>
    setAct({ kind, entries, withDeleted: isOfDeleted(entries), ...(at !== undefined && { at }) });
  return (
    <>
      <div className={styles.panes}>
        <TreePane {...pane} />
        <div className={styles.main}>
          <Breadcrumbs
            {...{ application, path }}
            onOpen={openPath}
            onSelect={tray.add}
            onCompare={
              address.with === '' ? () => change({ with: props.otherPoint ?? '', search: '', filters: false }) : null
            }
            noComparison={refusesComparison(path.at(-1), props.otherPoint)}
          />
          <Suspense fallback={<SkeletonRows rows={10} />}>
            <Main {...pane} />
          </Suspense>
        </div>
        {open !== null && (
          <Suspense>
            <OpenPreview
              {...{ application, organization, session, onSignedIn }}
              item={open}
              objectName={path[0]?.objectId === open.objectId ? path[0].objectName : undefined}
              at={openedAt.open === address.open && openedAt.at !== '' ? openedAt.at : undefined}
              onClose={() => change({ open: '' })}
              onAct={setAct}
            />
          </Suspense>
        )}
      </div>
      {byPoint(tray.entries, session.datetime).map((chosen, number) => (
        <TrayBar
          key={chosen.at ?? ''}
          {...{ application, ...chosen }}
          hasKeys={number === 0}
          onClear={() => tray.clear(chosen.entries)}
          onDownload={() => begin('download', chosen)}
          onRestore={() => begin('restore', chosen)}
        />
      ))}
      {act !== null && (
        <Suspense>
          <Acting {...{ application, organization, session, onSignedIn, act }} onClose={() => setAct(null)} />
        </Suspense>
      )}
    </>
  );
}

/** Whether deleted items are among what was chosen. With a folder they are not looked for: all that was ever deleted in it would come back, too. */
function isOfDeleted(entries: readonly Entry[]): boolean {
  return entries.some(({ isDeleted }) => isDeleted) && entries.every((entry) => entry.isDeleted || !isContainer(entry));
}

/** What was searched, what differs, or what is in the folder. */
function Main(props: PaneProps) {
  const { application, organization, session, address, change, path, openPath, openItem, onAct } = props;
  const node = path.at(-1);
  if (address.search !== '' || address.filters) return <SearchPane {...props} openHit={openItem} />;
  if (address.with === '' || refusesComparison(node, address.with) !== null) return <Listing {...props} />;
  const open = readOpen(address.open);
  return (
    <Comparison
      {...{ application, organization, session, onAct }}
      node={node ?? null}
      datetime={address.with}
      onPoint={(point) => change({ with: point, open: '' })}
      openKey={open === null ? null : keyOf(open)}
      onOpen={({ entry, item }, at) => {
        if (!isContainer(entry)) openItem(entry, at);
        // What is in an object that is at both points is compared in turn.
        else if (entry.itemId === null && item.change === 'changed') openPath([entry]);
      }}
    />
  );
}

interface PaneProps extends BrowserProps {
  path: readonly Entry[];
  openPath: (path: readonly Entry[]) => void;
  /** @param at the restore point that has it, where that is not the one that is looked at */
  openItem: (entry: Entry, at?: string) => void;
  onAct: (act: Act) => void;
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
  const label = application.findLabel ?? `Find ${application.objects.many}`;
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

function Listing({ application, session, tray, address, change, onEnded, path, openPath, openItem }: PaneProps) {
  const node = path.at(-1) ?? null;
  const search = node === null ? address.name : '';
  const sort = address.sort === '' ? firstSort(node) : address.sort;
  const pages = useEntries({ application, sessionId: session.id, node, search, sort, onEnded });
  const openEntry = (entry: Entry) => {
    if (isContainer(entry)) openPath([...path, entry]);
    else openItem(entry);
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
