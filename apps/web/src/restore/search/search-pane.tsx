import { Button } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../kit/api.ts';
import { useClock } from '../../kit/portal.tsx';
import type { ChangeAddress, ExplorerAddress } from '../explorer/address.ts';
import type { RestoreApplication } from '../explorer/application.ts';
import { type Entry, keyOf } from '../explorer/entry.ts';
import styles from '../explorer/explorer.module.css';
import type { Tray } from '../explorer/use-tray.ts';
import { queryOf } from './filters.ts';
import { HitList } from './hit-list.tsx';
import { HitPlace, justBefore } from './hit-place.tsx';
import { type Hit, useHits } from './search.data.ts';
import { SearchFilters } from './search-filters.tsx';

interface SearchPaneProps {
  application: RestoreApplication;
  sessionId: string;
  tray: Tray;
  address: ExplorerAddress;
  change: ChangeAddress;
  path: readonly Entry[];
  openPath: (path: readonly Entry[]) => void;
  /** @param at the last restore point that has it, where it is gone */
  openHit: (entry: Entry, at?: string) => void;
}

/** What is found, in what is open or everywhere, in the restore point or over all time. */
export function SearchPane(props: SearchPaneProps) {
  const { application, sessionId, tray, address, change, path, openPath } = props;
  const [hit, setHit] = useState<Hit | null>(null);
  const [isHere, setHere] = useState(path.length > 0);
  const here = path.at(-1);
  const clock = useClock();
  const pages = useHits(application, sessionId, {
    text: address.search,
    allTime: address.all,
    objectId: isHere ? (here?.objectId ?? null) : null,
    filters: queryOf(address, application.sessionType, clock.now()),
  });
  const openHit = (next: Hit) => {
    const { entry, found } = next;
    setHit(next);
    props.openHit(entry, found.endedAt === null ? undefined : justBefore(found.endedAt));
  };
  const isShown = hit !== null && address.open !== '';
  return (
    <>
      <SearchFilters application={application} address={address} change={change} />
      {here !== undefined && (
        <p className={styles.notice}>
          {isHere ? `Searching in ${here.objectName}.` : 'Searching everywhere.'}{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => setHere(!isHere)}>
            {isHere ? 'Search everywhere' : `Search in ${here.objectName}`}
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
      <HitList pages={pages} tray={tray} openKey={isShown ? keyOf(hit.entry) : null} onOpen={openHit} />
      {pages.error !== null && pages.count !== null && (
        <p className={styles.notice} role="alert">
          {messageOf(pages.error)}{' '}
          <Button variant="subtle" size="compact-sm" onClick={pages.retry}>
            Try again
          </Button>
        </p>
      )}
    </>
  );
}
