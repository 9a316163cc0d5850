import type { RestoreSession } from '@keepwatch/contract/restore/sessions';
import { type ComparedItem, compareRestorePoints } from '@keepwatch/contract/restore/versions';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { messageOf } from '../../kit/api.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';
import { foundObject, type RestoreApplication } from '../explorer/application.ts';
import { usePagesOf } from '../explorer/entries.data.ts';
import {
  CONTAINER_TYPES,
  type Entry,
  type EntryType,
  entryIn,
  objectEntry,
  personName,
  shownName,
} from '../explorer/entry.ts';
import { OBJECTS } from '../explorer/path.ts';
import { RESTORE_KEY } from '../points/points.data.ts';

/** Two restore points, each in its session, and the folder in which they are compared. */
export interface Compared {
  earlier: RestoreSession;
  later: RestoreSession;
  /** `null`: what is at the top of the explorer. */
  node: Entry | null;
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

type Place = Pick<NonNullable<CallRequest<typeof compareRestorePoints>['query']>, 'objectId' | 'parentId' | 'types'>;

/** Nodes that have some of what is in their channel. */
const TYPES_IN: Partial<Record<EntryType, NonNullable<Place['types']>>> = {
  posts: ['post', 'reply'],
  files: ['file'],
  tabs: ['tab'],
};

function placeOf(node: Entry | null): Place {
  if (node === null) return {};
  const { type, objectId, itemId } = node;
  const types = TYPES_IN[type];
  return { objectId, ...(itemId === null ? {} : { parentId: itemId }), ...(types === undefined ? {} : { types }) };
}

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

function changeOf(application: RestoreApplication, node: Entry | null, item: ComparedItem): Change {
  const { objectId, objectName, id, name, from, date, sizeBytes, parentId } = item;
  const type = typeOf(application, item);
  const isDeleted = item.change === 'vanished';
  if (OBJECTS.has(type)) return { entry: { ...objectEntry(type, objectId, name), isDeleted }, item };
  const entry = {
    ...entryIn(foundObject(application, objectId, objectName), type, id, shownName(type, name)),
    within: type === 'item' || type === 'tab' ? parentId : type === 'library' ? id : (node?.within ?? null),
    from: from === null ? null : personName(from),
    date,
    sizeBytes: isFolder(type) ? null : sizeBytes,
    isDeleted,
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
