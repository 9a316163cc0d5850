import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import { type Fault, listFaults } from '@keepwatch/contract/faults/faults';
import { listJobNames } from '@keepwatch/contract/insights/calendar';
import { listDidntRun } from '@keepwatch/contract/insights/insights';
import { listComputers, type UnprotectedCompany } from '@keepwatch/contract/inventory/computers';
import { KIND_WORDS } from '../../entities/faults/fault-texts.ts';
import { calendar, dailyChecks } from '../../entities/places.ts';
import type { Api } from '../../kit/api.ts';
import { type FigurePage, type FigurePlace, type FigureRow, useFigureRows } from '../../kit/figures/figure-rows.ts';
import { formatDateTime } from '../../kit/format/dates.ts';
import { useApi } from '../../kit/portal.tsx';
import { companyOf } from './company-of.ts';
import type { Subject } from './dashboard-filters.ts';

/** What a figure of the dashboard counts, where no screen of its own lists it. */
export type Figure =
  | 'companies'
  | 'never-ran'
  | 'computers'
  | 'without-company'
  | 'new-faults'
  | 'healed-faults'
  | 'new-jobs';

/** What a figure is about beside the filters of the dashboard. */
export interface Given {
  /** Of changes: the time that they are counted from. */
  since?: string;
  /** Of computers: those of one company. */
  company?: UnprotectedCompany;
}

interface Asked extends Subject {
  given: Given;
  place: FigurePlace;
  signal: AbortSignal;
}

type Load = (api: Api, asked: Asked) => Promise<FigurePage>;

const LOADS: Readonly<Record<Figure, Load>> = {
  async companies(api, { jobs: { companyIds }, place, signal }) {
    const ids = companyIds === undefined ? {} : { ids: companyIds };
    const query = { ...ids, sort: 'name', ...place } as const;
    const { count, data } = await api.request(listReportingCompanies, { query }, signal);
    return { count, rows: data.map(companyRow) };
  },
  async 'never-ran'(api, { jobs, place, signal }) {
    const query = { filter: { ...jobs, type: 'never-ran' }, ...place } as const;
    const { count, data } = await api.request(listDidntRun, { query }, signal);
    const rowOf = ({ jobInstanceUid, jobName, companyName, serverName }: (typeof data)[number]): FigureRow => ({
      key: jobInstanceUid,
      name: jobName,
      about: [companyName ?? 'No company', serverName],
    });
    return { count, rows: data.map(rowOf) };
  },
  async computers(api, { jobs: { companyIds }, given: { company }, place, signal }) {
    const query = { filter: { ...ofCompany(company, companyIds), unprotected: true }, ...place };
    const { count, data } = await api.request(listComputers, { query }, signal);
    const rowOf = (computer: (typeof data)[number]): FigureRow => ({
      key: computer._id,
      name: computer.hostName,
      about: [computer.companyName ?? 'No company', computer.operatingSystem],
      to: companyOf(computer),
    });
    return { count, rows: data.map(rowOf) };
  },
  'without-company': (api, { jobs, place, signal }) =>
    jobRows(api, { ...jobs, withoutCompany: true, ...place }, signal),
  'new-jobs': (api, { jobs, given: { since }, place, signal }) =>
    jobRows(api, { ...jobs, ...(since === undefined ? {} : { knownFrom: since }), ...place }, signal),
  async 'new-faults'(api, { jobs, given: { since: openedFrom }, place, signal }) {
    const filter = { ...jobs, ...(openedFrom === undefined ? {} : { openedFrom }), state: [...OPEN] };
    const { count, data } = await api.request(listFaults, { query: { filter, ...place } }, signal);
    return { count, rows: data.map((fault) => faultRow(fault, `since ${formatDateTime(fault.openedAt)}`)) };
  },
  async 'healed-faults'(api, { jobs, given: { since: closedFrom }, place, signal }) {
    const filter = { ...jobs, ...(closedFrom === undefined ? {} : { closedFrom }), state: 'healed' as const };
    const { count, data } = await api.request(listFaults, { query: { filter, ...place } }, signal);
    return { count, rows: data.map((fault) => faultRow(fault, `healed ${formatDateTime(fault.closedAt)}`)) };
  },
};

const OPEN = ['pending', 'in-progress'] as const;

function companyRow({ _id: key, name }: { _id: string; name: string }): FigureRow {
  return { key, name, about: [], to: calendar.at({ company: [key] }) };
}

function ofCompany(company: UnprotectedCompany | undefined, companyIds: string[] | undefined) {
  if (company?.companyId === null) return { withoutCompany: true };
  if (company !== undefined) return { companyIds: [company.companyId] };
  return companyIds === undefined ? {} : { companyIds };
}

async function jobRows(
  api: Api,
  query: Parameters<typeof api.request<typeof listJobNames>>[1]['query'],
  signal: AbortSignal,
): Promise<FigurePage> {
  const { count, data } = await api.request(listJobNames, { query }, signal);
  return {
    count,
    rows: data.map(({ jobInstanceUid, jobName, companyName }) => ({
      key: jobInstanceUid,
      name: jobName,
      about: [companyName ?? 'No company'],
      to: runsOfJob(jobInstanceUid),
    })),
  };
}

function faultRow({ _id, jobInstanceUid, jobName, companyName, kind }: Fault, when: string): FigureRow {
  return {
    key: _id,
    name: jobName,
    about: [companyName ?? 'No company', KIND_WORDS[kind].toLowerCase(), when],
    to: runsOfJob(jobInstanceUid),
  };
}

function runsOfJob(jobInstanceUid: string) {
  return dailyChecks.at({ job: [jobInstanceUid], date: 'Last 30 Days', state: 'all', ignored: true });
}

/** What a figure counts, more of it on demand. */
export function useFigureList(figure: Figure, subject: Subject, given: Given) {
  const api = useApi();
  return useFigureRows(['dashboard', 'figure', figure, subject.jobs, given], (place, signal) =>
    LOADS[figure](api, { ...subject, given, place, signal }),
  );
}
