import type { RestoreSession } from '@keepwatch/contract/restore/sessions';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../kit/api.ts';
import { useClock } from '../../kit/portal.tsx';
import type { ChangeAddress, ExplorerAddress } from '../explorer/address.ts';
import type { RestoreApplication } from '../explorer/application.ts';
import { type Entry, keyOf } from '../explorer/entry.ts';
import styles from '../explorer/explorer.module.css';
import { isSearchable } from '../explorer/path.ts';
import type { Tray } from '../explorer/use-tray.ts';
import { queryOf } from './filters.ts';
import { HitList } from './hit-list.tsx';
import { HitPlace, justBefore } from './hit-place.tsx';
import { type Hit, useHits } from './search.data.ts';
import { SearchFilters } from './search-filters.tsx';

interface SearchPaneProps {
  application: RestoreApplication;
  session: RestoreSession;
  newestPoint: string;
  tray: Tray;
  address: ExplorerAddress;
  change: ChangeAddress;
  path: readonly Entry[];
  openPath: (path: readonly Entry[]) => void;
  /** @param at the last restore point that has it, where it is gone */
  openHit: (entry: Entry, at?: string) => void;
}

/** Where is searched. */
interface Level {
  name: string;
  objectId: string | null;
  parentId: string | null;
}

const EVERYWHERE: Level = { name: 'everywhere', objectId: null, parentId: null };

/** From what is open to everything. */
function levelsOf(here: Entry | undefined): readonly Level[] {
  if (here === undefined) return [EVERYWHERE];
  const { objectId, objectName, itemId, name } = here;
  const whole: Level = { name: `in ${objectName}`, objectId, parentId: null };
  const isFolder = itemId !== null && isSearchable(here);
  return isFolder ? [{ name: `in ${name} alone`, objectId, parentId: itemId }, whole, EVERYWHERE] : [whole, EVERYWHERE];
}

/** What is found, in what is open or everywhere, in the restore point or over all time. */
export function SearchPane(props: SearchPaneProps) {
  const { application, session, newestPoint, tray, address, change, path, openPath } = props;
  const [hit, setHit] = useState<Hit | null>(null);
  const here = path.at(-1);
  const levels = levelsOf(here);
  const [chosen, setLevel] = useState(0);
  const level = levels[chosen] ?? EVERYWHERE;
  const clock = useClock();
  const pages = useHits(application, session, {
    text: address.search,
    allTime: address.all,
    objectId: level.objectId,
    parentId: level.parentId,
    filters: queryOf(address, application.sessionType, clock.now()),
    newestPoint,
  });
  const openHit = (next: Hit) => {
    const { entry, found } = next;
    setHit(next);
    props.openHit(entry, entry.isDeleted && found.endedAt !== null ? justBefore(found.endedAt) : entry.at);
  };
  const isShown = hit !== null && address.open !== '';
  return (
    <>
      <SearchFilters application={application} address={address} change={change} />
      {levels.length > 1 && (
        <p className={styles.notice}>
          Searching {level.name}.{' '}
          {levels.map((other, at) =>
            other === level ? null : (
              <Button key={other.name} variant="subtle" size="compact-sm" onClick={() => setLevel(at)}>
                Search {other.name}
              </Button>
            ),
          )}
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
