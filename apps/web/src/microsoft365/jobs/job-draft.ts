import type { DAILY_TYPES, Microsoft365JobDetail, SCHEDULE_TYPES } from '@keepwatch/contract/microsoft365/jobs';
import type { EditedJobBody } from './jobs.data.ts';

export type SelectedItem = Microsoft365JobDetail['selectedItems']['results'][number];

/** A job while it is filled in. */
export interface JobDraft {
  /** Of the job that is changed, as it was read: what is stored of the form has it, too. 0: a new one. */
  version: number;
  organizationId: string | null;
  name: string;
  description: string;
  isTeamsChatsEnabled: boolean;
  backupType: Microsoft365JobDetail['backupType'];
  selectedItems: { results: readonly SelectedItem[] };
  excludedItems: { results: readonly SelectedItem[] };
  /** Empty: any. */
  proxyId: string;
  repositoryId: string;
  isEnabled: boolean;
  schedulePolicy: {
    type: (typeof SCHEDULE_TYPES)[number];
    dailyType: (typeof DAILY_TYPES)[number];
    dailyTime: string;
    dayOfMonth: string;
    periodicallyEvery: string;
    afterJobId: string;
    timeZone: string;
    runNow: boolean;
    retryEnabled: boolean;
    retryNumber: string;
    retryWaitInterval: string;
    backupWindowEnabled: boolean;
    backupWindow: readonly boolean[];
  };
}

/** What a new job begins with: the whole organization, every evening. */
export function newJob(organizationId: string | null): JobDraft {
  return {
    version: 0,
    organizationId,
    name: '',
    description: '',
    isTeamsChatsEnabled: false,
    backupType: 'EntireOrganization',
    selectedItems: { results: [] },
    excludedItems: { results: [] },
    proxyId: '',
    repositoryId: '',
    isEnabled: true,
    schedulePolicy: {
      type: 'Daily',
      dailyType: 'Everyday',
      dailyTime: '22:00',
      dayOfMonth: '1',
      periodicallyEvery: '60',
      afterJobId: '',
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      runNow: true,
      retryEnabled: true,
      retryNumber: '3',
      retryWaitInterval: '10',
      backupWindowEnabled: false,
      backupWindow: Array.from({ length: 168 }, () => true),
    },
  };
}

/** The draft of a job that is changed. */
export function draftOf(job: Microsoft365JobDetail): JobDraft {
  const { schedulePolicy: policy } = job;
  const empty = newJob(job.organizationId);
  return {
    version: job.version,
    organizationId: job.organizationId,
    name: job.name,
    description: job.description,
    isTeamsChatsEnabled: job.isTeamsChatsEnabled,
    backupType: job.backupType,
    selectedItems: job.selectedItems,
    excludedItems: job.excludedItems,
    proxyId: job.proxyId ?? '',
    repositoryId: job.repositoryId,
    isEnabled: job.isEnabled,
    schedulePolicy: {
      type: policy.runAuto ? policy.type : 'Disabled',
      dailyType: policy.dailyType,
      dailyTime: policy.dailyTime,
      dayOfMonth: String(policy.dayOfMonth),
      periodicallyEvery: String(policy.periodicallyEvery),
      afterJobId: policy.afterJobId ?? '',
      timeZone: policy.timeZone,
      runNow: false,
      retryEnabled: policy.retryEnabled,
      retryNumber: String(policy.retryNumber),
      retryWaitInterval: String(policy.retryWaitInterval),
      backupWindowEnabled: policy.backupWindowEnabled,
      backupWindow: policy.backupWindow ?? empty.schedulePolicy.backupWindow,
    },
  };
}

/** The body for a draft. */
export function bodyOf(draft: JobDraft): EditedJobBody {
  const { schedulePolicy: policy, organizationId, proxyId, backupType, selectedItems, excludedItems } = draft;
  const { timeZone, afterJobId } = policy;
  return {
    ...(draft.version === 0 ? {} : { version: draft.version }),
    organizationId: organizationId ?? '',
    name: draft.name.trim(),
    description: draft.description.trim(),
    isTeamsChatsEnabled: draft.isTeamsChatsEnabled,
    backupType,
    selectedItems: { results: backupType === 'SelectedItems' ? [...selectedItems.results] : [] },
    excludedItems: { results: [...excludedItems.results] },
    proxyId: proxyId === '' ? null : proxyId,
    repositoryId: draft.repositoryId,
    isEnabled: draft.isEnabled,
    schedulePolicy: {
      runAuto: policy.type !== 'Disabled',
      type: policy.type,
      dailyType: policy.dailyType,
      dailyTime: policy.dailyTime,
      dayOfMonth: Number(policy.dayOfMonth),
      periodicallyEvery: Number(policy.periodicallyEvery),
      afterJobId: policy.type === 'Chained' && afterJobId !== '' ? afterJobId : null,
      timeZone,
      runNow: policy.runNow,
      retryEnabled: policy.retryEnabled,
      retryNumber: Number(policy.retryNumber),
      retryWaitInterval: Number(policy.retryWaitInterval),
      backupWindowEnabled: policy.backupWindowEnabled,
      backupWindow: policy.backupWindowEnabled ? [...policy.backupWindow] : null,
    },
  };
}
