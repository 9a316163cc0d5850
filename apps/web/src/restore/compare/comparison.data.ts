import type { RestoreSession } from '@keepwatch/contract/restore/sessions';
import { type ComparedItem, compareRestorePoints } from '@keepwatch/contract/restore/versions';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { messageOf } from '../../kit/api.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';
import type { RestoreApplication } from '../explorer/application.ts';
import { usePagesOf } from '../explorer/entries.data.ts';
import { CONTAINER_TYPES, type Entry, type EntryType, entryIn, NO_SUBJECT, objectEntry } from '../explorer/entry.ts';
import { RESTORE_KEY } from '../points/points.data.ts';

/** Two restore points, each in its session, and the folder in which they are compared. */
export interface Compared {
  earlier: RestoreSession;
  later: RestoreSession;
  node: Entry;
}

export type ChangeFilter = ComparedItem['change'] | 'all';

/** What is not the same, as an entry. */
export interface Change {
  entry: Entry;
  item: ComparedItem;
}

const ROWS_A_PAGE = 100;
/** As many as one request restores. */
const VANISHED_MAX = 10_000;

const placeOf = ({ objectId, itemId }: Entry) => ({ objectId, ...(itemId === null ? {} : { parentId: itemId }) });

/** What differs between two restore points, read a page at a time as it is scrolled to. */
export function useChanges(
  application: RestoreApplication,
  { earlier, later, node }: Compared,
  filter: ChangeFilter,
): Pages<Change> {
  const api = useApi();
  const listKey = JSON.stringify(['changes', earlier.id, later.id, placeOf(node), filter]);
  const read = useInfiniteQuery({
    queryKey: [...RESTORE_KEY, listKey],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      api.request(
        compareRestorePoints,
        {
          params: { restoreSessionId: later.id },
          query: {
            ...placeOf(node),
            otherSessionId: earlier.id,
            limit: ROWS_A_PAGE,
            ...(filter === 'all' ? {} : { change: filter }),
            ...(pageParam === null ? {} : { after: pageParam }),
          },
        },
        signal,
      ),
    getNextPageParam: ({ _next }) => _next,
  });
  return usePagesOf(read, listKey, ({ data }) => data.map((item) => changeOf(application, node, item)));
}

function changeOf(application: RestoreApplication, node: Entry, item: ComparedItem): Change {
  const { objectId, objectName, id, name, from, date, sizeBytes, parentId } = item;
  const type = typeOf(application, item);
  const entry = {
    ...entryIn(objectEntry(application.objects.type, objectId, objectName), type, id, name === '' ? NO_SUBJECT : name),
    within: type === 'item' || type === 'tab' ? parentId : node.within,
    from,
    date,
    sizeBytes: isFolder(type) ? null : sizeBytes,
    isDeleted: item.change === 'vanished',
  };
  return { entry, item };
}

const isFolder = (type: EntryType) => CONTAINER_TYPES.some((container) => container === type);

/** Folders are called the same by the server as here. */
function typeOf(application: RestoreApplication, item: ComparedItem): EntryType {
  return CONTAINER_TYPES.find((type) => type === item.type) ?? application.typesOf(item).item;
}

/** Reads all that vanished, to be restored at once: without what is in a folder that vanished with it. */
export function useAllVanished(application: RestoreApplication, { earlier, later, node }: Compared) {
  const api = useApi();
  const toasts = useToasts();
  return useMutation({
    mutationFn: async () => {
      const found: ComparedItem[] = [];
      const query = { ...placeOf(node), otherSessionId: earlier.id, change: 'vanished', limit: 1_000 } as const;
      for (let after: string | null = ''; after !== null && found.length < VANISHED_MAX; ) {
        const page: { data: ComparedItem[]; _next: string | null } = await api.request(compareRestorePoints, {
          params: { restoreSessionId: later.id },
          query: after === '' ? query : { ...query, after },
        });
        found.push(...page.data);
        after = page._next;
      }
      return outermost(found.slice(0, VANISHED_MAX)).map((item) => changeOf(application, node, item).entry);
    },
    onError: (error) => toasts.error(messageOf(error)),
  });
}

function outermost(found: readonly ComparedItem[]): ComparedItem[] {
  const ids = new Set(found.map(({ id }) => id));
  return found.filter(({ parentId }) => parentId === null || !ids.has(parentId));
}
