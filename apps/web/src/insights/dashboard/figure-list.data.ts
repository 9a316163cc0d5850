import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import { listDidntRun } from '@keepwatch/contract/insights/insights';
import { listComputers } from '@keepwatch/contract/inventory/computers';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Api } from '../../kit/api.ts';
import { useApi } from '../../kit/portal.tsx';
import type { Subject } from './dashboard-filters.ts';

/** What a figure of the dashboard counts, where no screen of its own lists it. */
export type Figure = 'companies' | 'never-ran' | 'computers';

export interface FigureRow {
  id: string;
  name: string;
  /** What it belongs to, what it is. */
  about: readonly (string | null)[];
  /** The company of a row that is one. */
  companyId: string | null;
}

interface FigurePage {
  count: number;
  rows: FigureRow[];
}

const PAGE_ROWS = 50;

type Load = (api: Api, subject: Subject, offset: number, signal: AbortSignal) => Promise<FigurePage>;

const LOADS: Readonly<Record<Figure, Load>> = {
  async companies(api, { jobs: { companyIds } }, offset, signal) {
    const ids = companyIds === undefined ? {} : { ids: companyIds };
    const query = { ...ids, sort: 'name', limit: PAGE_ROWS, offset } as const;
    const { count, data } = await api.request(listReportingCompanies, { query }, signal);
    return { count, rows: data.map(({ _id, name }) => ({ id: _id, name, about: [], companyId: _id })) };
  },
  async 'never-ran'(api, { jobs }, offset, signal) {
    const query = { filter: { ...jobs, type: 'never-ran' }, limit: PAGE_ROWS, offset } as const;
    const { count, data } = await api.request(listDidntRun, { query }, signal);
    const rowOf = ({ jobInstanceUid, jobName, companyName, serverName }: (typeof data)[number]): FigureRow => ({
      id: jobInstanceUid,
      name: jobName,
      about: [companyName ?? 'No company', serverName],
      companyId: null,
    });
    return { count, rows: data.map(rowOf) };
  },
  async computers(api, { jobs: { companyIds } }, offset, signal) {
    const ofCompanies = companyIds === undefined ? {} : { companyIds };
    const query = { filter: { ...ofCompanies, unprotected: true }, limit: PAGE_ROWS, offset };
    const { count, data } = await api.request(listComputers, { query }, signal);
    const rowOf = ({ _id, hostName, companyName, operatingSystem }: (typeof data)[number]): FigureRow => ({
      id: _id,
      name: hostName,
      about: [companyName ?? 'No company', operatingSystem],
      companyId: null,
    });
    return { count, rows: data.map(rowOf) };
  },
};

/** What a figure counts, more of it on demand. */
export function useFigureList(figure: Figure, subject: Subject) {
  const api = useApi();
  return useInfiniteQuery({
    queryKey: ['dashboard', 'figure', figure, subject.jobs],
    queryFn: ({ pageParam, signal }) => LOADS[figure](api, subject, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((rows, page) => rows + page.rows.length, 0);
      return last.rows.length > 0 && loaded < last.count ? loaded : undefined;
    },
    select: ({ pages }) => ({ count: pages.at(-1)?.count ?? 0, rows: pages.flatMap((page) => page.rows) }),
  });
}
