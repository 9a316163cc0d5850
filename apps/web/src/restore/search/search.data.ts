import { type FoundItem, searchRestoreSession } from '@keepwatch/contract/restore/items';
import type { RestoreSession } from '@keepwatch/contract/restore/sessions';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Pages } from '../../kit/data-table/pages.ts';
import { useApi } from '../../kit/portal.tsx';
import { foundObject, type RestoreApplication } from '../explorer/application.ts';
import { usePagesOf } from '../explorer/entries.data.ts';
import { type Entry, entryIn, personName, shownName } from '../explorer/entry.ts';
import { RESTORE_KEY } from '../points/points.data.ts';
import type { queryOf } from './filters.ts';

/** What a search is asked for. */
export interface ItemSearch {
  text: string;
  /** Over all time instead of the restore point. */
  allTime: boolean;
  /** In one mailbox, OneDrive, site or team alone. */
  objectId: string | null;
  /** There, in one folder alone. */
  parentId: string | null;
  filters: Readonly<ReturnType<typeof queryOf>>;
  /** What is found over all time is done with there: of what is still there it has all. */
  newestPoint: string;
}

const HITS_A_PAGE = 50;

/** An item that was found, as an entry, with where it is and when it ended. */
export interface Hit {
  entry: Entry;
  found: FoundItem;
}

/** Items that have the words, wherever they are. */
export function useHits(application: RestoreApplication, session: RestoreSession, search: ItemSearch): Pages<Hit> {
  const api = useApi();
  const { text, allTime, objectId, parentId, filters } = search;
  const listKey = JSON.stringify(['search', session.id, search]);
  const read = useInfiniteQuery({
    queryKey: [...RESTORE_KEY, listKey],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      api.request(
        searchRestoreSession,
        {
          params: { restoreSessionId: session.id },
          query: {
            ...filters,
            ...(text === '' ? {} : { text }),
            allTime,
            limit: HITS_A_PAGE,
            ...(objectId === null ? {} : { objectId }),
            ...(parentId === null ? {} : { parentId }),
            ...(pageParam === null ? {} : { after: pageParam }),
          },
        },
        signal,
      ),
    getNextPageParam: ({ _next }) => _next,
  });
  return usePagesOf(read, listKey, ({ data }) => data.map((found) => hitOf(application, found, session, search)));
}

function hitOf(
  application: RestoreApplication,
  found: FoundItem,
  { datetime }: RestoreSession,
  { allTime, newestPoint }: ItemSearch,
): Hit {
  const { objectId, objectName, id, name, from, date, sizeBytes, endedAt, parentId } = found;
  const object = foundObject(application, objectId, objectName);
  const types = application.typesOf(found);
  const within = types.item === 'item' || types.item === 'tab' ? parentId : null;
  const entry = {
    ...entryIn(object, types.item, id, shownName(types.item, name)),
    within,
    from: from === null ? null : personName(from),
    date,
    sizeBytes,
    // What ended later is there at the restore point that is searched.
    isDeleted: endedAt !== null && (allTime || Date.parse(endedAt) <= Date.parse(datetime)),
    ...(allTime && newestPoint !== datetime && { at: newestPoint }),
  };
  return { entry, found };
}

/** The folder of an item that was found, from the top. Folders between are not named: their ids are not known here. */
export function folderOf(application: RestoreApplication, { found }: Hit): Entry[] {
  const object = foundObject(application, found.objectId, found.objectName);
  if (found.parentId === null) return [object];
  const { folder } = application.typesOf(found);
  return [object, entryIn(object, folder, found.parentId, found.path.at(-1) ?? found.objectName)];
}
