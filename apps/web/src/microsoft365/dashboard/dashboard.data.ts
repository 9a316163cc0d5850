import {
  readBackupStatus,
  readHighestStorageUsers,
  readLicenseActivity,
  readLicenses,
  readRetention,
  readUserFigures,
} from '@keepwatch/contract/microsoft365/dashboard';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { DayRange } from '../../kit/date-range/date-range.ts';
import { useApi } from '../../kit/portal.tsx';

/** Of all that the dashboard reads. */
export const DASHBOARD_KEY = ['o365', 'dashboard'];
/** Rows of a ranking. */
export const RANKED_MAX = 5;

/** Jobs by their last run, and runs by day. */
export function useBackupStatus(days: DayRange) {
  const api = useApi();
  return useQuery({
    queryKey: [...DASHBOARD_KEY, 'backup-status', days],
    queryFn: ({ signal }) => api.request(readBackupStatus, { query: { ...days } }, signal),
    select: (reply) => reply.data,
    placeholderData: keepPreviousData,
  });
}

/** Who is licensed today, by what is backed up. */
export function useUserFigures() {
  const api = useApi();
  return useQuery({
    queryKey: [...DASHBOARD_KEY, 'users'],
    queryFn: ({ signal }) => api.request(readUserFigures, {}, signal),
    select: (reply) => reply.data,
  });
}

/** Licensed users day by day. */
export function useLicenseActivity(days: DayRange) {
  const api = useApi();
  return useQuery({
    queryKey: [...DASHBOARD_KEY, 'license-activity', days],
    queryFn: ({ signal }) => api.request(readLicenseActivity, { query: { ...days } }, signal),
    select: (reply) => reply.data,
    placeholderData: keepPreviousData,
  });
}

/** The organizations that use the most licences. */
export function useLicenses(days: DayRange) {
  const api = useApi();
  return useQuery({
    queryKey: [...DASHBOARD_KEY, 'licenses', days],
    queryFn: ({ signal }) => api.request(readLicenses, { query: { ...days, limit: RANKED_MAX } }, signal),
    select: (reply) => reply.data,
    placeholderData: keepPreviousData,
  });
}

/** The users of whom the most is stored. */
export function useHighestStorageUsers() {
  const api = useApi();
  return useQuery({
    queryKey: [...DASHBOARD_KEY, 'highest-storage-users'],
    queryFn: ({ signal }) => api.request(readHighestStorageUsers, { query: { limit: RANKED_MAX } }, signal),
    select: (reply) => reply.data,
  });
}

/** Repositories by how long they keep. */
export function useRetention() {
  const api = useApi();
  return useQuery({
    queryKey: [...DASHBOARD_KEY, 'retention'],
    queryFn: ({ signal }) => api.request(readRetention, {}, signal),
    select: (reply) => reply.data,
  });
}
