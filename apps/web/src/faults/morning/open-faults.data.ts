import { type Fault, listFaults } from '@keepwatch/contract/faults/faults';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useQuery } from '@tanstack/react-query';
import type { Api } from '../../kit/api.ts';
import { useLive } from '../../kit/live/use-live.ts';
import { useApi } from '../../kit/portal.tsx';
import { KEY, type QueueQuery } from '../faults.data.ts';
import { nextMoment } from '../moments.ts';
import { inOrderOfCauses } from './candidates.ts';
import type { ReadFaults } from './session.ts';

const PAGE_FAULTS = 500;
/** More are read as these are decided. */
const FAULTS_MAX = 5_000;

export interface OpenFaults extends ReadFaults {
  /** Faults that are open beyond those. */
  unread: number;
}

/** Reads the open faults of a query in the order in which they are worked on. */
export function useOpenFaults({ filter, sort, isSingle }: QueueQuery) {
  const api = useApi();
  const order = sort === 'none' ? {} : { sort };
  const queryKey = [...KEY, 'morning', filter, sort];
  useLive('executions.changed', queryKey);
  useLive('executions.changed', [...KEY, 'one']);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => readOpenFaults(api, { filter, ...order }, signal),
    select: (read): OpenFaults => (isSingle ? read : { ...read, faults: inOrderOfCauses(read.faults, sort) }),
  });
}

type Asked = Pick<NonNullable<CallRequest<typeof listFaults>['query']>, 'filter' | 'sort'>;

/** A page after the other: a fault that moves to a later page meanwhile is there once. */
async function readOpenFaults(api: Api, asked: Asked, signal: AbortSignal): Promise<OpenFaults> {
  const askedAt = nextMoment();
  const faults = new Map<string, Fault>();
  let count = 0;
  for (let offset = 0; offset < FAULTS_MAX; offset += PAGE_FAULTS) {
    const query = { ...asked, limit: PAGE_FAULTS, offset };
    const page = await api.request(listFaults, { query }, signal);
    for (const fault of page.data) faults.set(fault._id, fault);
    count = page.count;
    if (offset + PAGE_FAULTS >= count) break;
  }
  return { askedAt, faults: [...faults.values()], unread: Math.max(0, count - faults.size) };
}
