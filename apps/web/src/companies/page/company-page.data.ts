import {
  addCompanyContact,
  type CompanyContact,
  editCompanyContact,
  listCompanyContacts,
  removeCompanyContact,
} from '@keepwatch/contract/companies/company-contacts';
import {
  addCompanyNote,
  type CompanyNote,
  listCompanyNotes,
  removeCompanyNote,
} from '@keepwatch/contract/companies/company-notes';
import { listUsersToNotify } from '@keepwatch/contract/directory/users';
import { listFaults } from '@keepwatch/contract/faults/faults';
import { getSpreadsheetReport } from '@keepwatch/contract/insights/calendar';
import { getComputersStatus, listComputers } from '@keepwatch/contract/inventory/computers';
import { listRepositories } from '@keepwatch/contract/inventory/repositories';
import { listOrganizations } from '@keepwatch/contract/microsoft365/organizations';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Month, rangeOfMonth } from '../../entities/calendar/month.ts';
import { messageOf } from '../../kit/api.ts';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { useApi, useToasts } from '../../kit/portal.tsx';

/** A company with more of something has a screen for it, to which its section leads. */
export const SHOWN_MAX = 50;
/** A row is one line of small cells. */
const MONTH_JOBS = 100;

/** What changes with every run; notes and contacts do not. */
export const RUNS_KEY = ['companies', 'runs'];
const keyOf = (id: string, part: string) => ['companies', 'of', id, part];

/** The jobs of a company by the days of a month. */
export function useMonth(id: string, month: Month) {
  const api = useApi();
  const clock = useBackupClock();
  const { timeZone, beginHour } = clock;
  return useQuery({
    queryKey: [...RUNS_KEY, id, 'month', { month, timeZone, beginHour }],
    queryFn: ({ signal }) => {
      const query = { limit: MONTH_JOBS, sort: 'jobName', ...rangeOfMonth(month, clock) } as const;
      return api.request(getSpreadsheetReport, { query: { ...query, filter: { companyIds: [id] } } }, signal);
    },
  });
}

/** The open faults of a company that are pending or in progress, the worst first. */
export function useOpenFaults(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: [...RUNS_KEY, id, 'faults'],
    queryFn: ({ signal }) => {
      const filter = { companyIds: [id], state: ['pending' as const, 'in-progress' as const] };
      return api.request(listFaults, { query: { limit: SHOWN_MAX, filter } }, signal);
    },
  });
}

/** The repositories of a company, those that are full first before the others. */
export function useRepositories(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: keyOf(id, 'repositories'),
    queryFn: ({ signal }) =>
      api.request(listRepositories, { query: { limit: SHOWN_MAX, sort: 'fullAt', companyIds: [id] } }, signal),
  });
}

/** The computers of a company that have no agent, and how many computers there are in all. */
export function useComputersWithoutAgent(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: keyOf(id, 'computers'),
    queryFn: async ({ signal }) => {
      const filter = { companyIds: [id], unprotected: true };
      const [{ count, data }, { data: status }] = await Promise.all([
        api.request(listComputers, { query: { limit: SHOWN_MAX, sort: 'hostName', filter } }, signal),
        api.request(getComputersStatus, { query: { companyIds: [id] } }, signal),
      ]);
      return { count, data, total: status.total };
    },
  });
}

export function useOrganizations(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: keyOf(id, 'organizations'),
    queryFn: ({ signal }) =>
      api.request(listOrganizations, { query: { limit: SHOWN_MAX, sort: 'name', companyId: id } }, signal),
  });
}

export function useUsersToNotify(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: keyOf(id, 'users'),
    queryFn: ({ signal }) =>
      api.request(listUsersToNotify, { params: { veeamId: id }, query: { limit: SHOWN_MAX } }, signal),
  });
}

/** The notes of a company, newest first. */
export function useNotes(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: keyOf(id, 'notes'),
    queryFn: ({ signal }) => api.request(listCompanyNotes, { params: { id }, query: { limit: SHOWN_MAX } }, signal),
  });
}

/** Reads a part of the page again. */
function useRefresh(id: string, part: string) {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: keyOf(id, part) });
}

/** Adds a note. Why it is refused is said in its form. */
export function useAddNote(id: string) {
  const api = useApi();
  return useMutation({
    mutationFn: (body: CallRequest<typeof addCompanyNote>['body']) =>
      api.request(addCompanyNote, { params: { id }, body }),
    onSuccess: useRefresh(id, 'notes'),
  });
}

export function useRemoveNote(id: string) {
  const api = useApi();
  const toasts = useToasts();
  return useMutation({
    mutationFn: ({ _id: noteId }: CompanyNote) => api.request(removeCompanyNote, { params: { id, noteId } }),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: useRefresh(id, 'notes'),
  });
}

export function useContacts(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: keyOf(id, 'contacts'),
    queryFn: ({ signal }) => api.request(listCompanyContacts, { params: { id } }, signal),
    select: (reply) => reply.data,
  });
}

/** Saves a contact: a new one, or what is known of one that is there. Why it is refused is said in its form. */
export function useSaveContact(id: string, contact: CompanyContact | null) {
  const api = useApi();
  const toasts = useToasts();
  return useMutation({
    mutationFn: (body: CallRequest<typeof addCompanyContact>['body']) =>
      contact === null
        ? api.request(addCompanyContact, { params: { id }, body })
        : api.request(editCompanyContact, { params: { id, contactId: contact._id }, body }),
    onSuccess: ({ data }) => toasts.success(`The contact ${data.name} has been saved.`),
    onSettled: useRefresh(id, 'contacts'),
  });
}

export function useRemoveContact(id: string) {
  const api = useApi();
  const toasts = useToasts();
  return useMutation({
    mutationFn: ({ _id: contactId }: CompanyContact) =>
      api.request(removeCompanyContact, { params: { id, contactId } }),
    onError: (error) => toasts.error(messageOf(error)),
    onSettled: useRefresh(id, 'contacts'),
  });
}
