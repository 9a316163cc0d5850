import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import { listDidntRun } from '@keepwatch/contract/insights/insights';
import { listComputers } from '@keepwatch/contract/inventory/computers';
import { calendar } from '../../entities/places.ts';
import type { Api } from '../../kit/api.ts';
import { type FigurePage, type FigurePlace, type FigureRow, useFigureRows } from '../../kit/figures/figure-rows.ts';
import { useApi } from '../../kit/portal.tsx';
import type { Subject } from './dashboard-filters.ts';

/** What a figure of the dashboard counts, where no screen of its own lists it. */
export type Figure = 'companies' | 'never-ran' | 'computers';

type Load = (api: Api, subject: Subject, place: FigurePlace, signal: AbortSignal) => Promise<FigurePage>;

const LOADS: Readonly<Record<Figure, Load>> = {
  async companies(api, { jobs: { companyIds } }, place, signal) {
    const ids = companyIds === undefined ? {} : { ids: companyIds };
    const query = { ...ids, sort: 'name', ...place } as const;
    const { count, data } = await api.request(listReportingCompanies, { query }, signal);
    return { count, rows: data.map(companyRow) };
  },
  async 'never-ran'(api, { jobs }, place, signal) {
    const query = { filter: { ...jobs, type: 'never-ran' }, ...place } as const;
    const { count, data } = await api.request(listDidntRun, { query }, signal);
    const rowOf = ({ jobInstanceUid, jobName, companyName, serverName }: (typeof data)[number]): FigureRow => ({
      key: jobInstanceUid,
      name: jobName,
      about: [companyName ?? 'No company', serverName],
    });
    return { count, rows: data.map(rowOf) };
  },
  async computers(api, { jobs: { companyIds } }, place, signal) {
    const ofCompanies = companyIds === undefined ? {} : { companyIds };
    const query = { filter: { ...ofCompanies, unprotected: true }, ...place };
    const { count, data } = await api.request(listComputers, { query }, signal);
    const rowOf = ({ _id, hostName, companyName, operatingSystem }: (typeof data)[number]): FigureRow => ({
      key: _id,
      name: hostName,
      about: [companyName ?? 'No company', operatingSystem],
    });
    return { count, rows: data.map(rowOf) };
  },
};

function companyRow({ _id: key, name }: { _id: string; name: string }): FigureRow {
  return { key, name, about: [], to: calendar.at({ company: [key] }) };
}

/** What a figure counts, more of it on demand. */
export function useFigureList(figure: Figure, subject: Subject) {
  const api = useApi();
  return useFigureRows(['dashboard', 'figure', figure, subject.jobs], (place, signal) =>
    LOADS[figure](api, subject, place, signal),
  );
}
