import type { JobSchedule, NewJob } from '@keepwatch/connectors/ports/microsoft365-engine';
import { isTimeZone } from '@keepwatch/contract/backup-days/time-zones';
import type { createM365Job } from '@keepwatch/contract/microsoft365/jobs';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { type FieldError, invalid } from '../../foundation/errors.ts';

export type EnteredJob = CallInput<typeof createM365Job>['body'];

/** Of a schedule that names none, whatever the time zone of the provider is. */
const DEFAULT_TIME_ZONE = 'UTC';
/** Whole parts of the organization have no id; everything else has one. */
const HAS_NO_ID: ReadonlySet<string> = new Set(['PersonalSites', 'PartialOrganization']);

/** Returns the job that was entered. @throws a 422 for what the declaration of the call cannot check */
export function jobOfEntered(entered: EnteredJob): NewJob {
  const errors = [...itemErrors(entered), ...scheduleErrors(entered)];
  if (errors.length > 0) throw invalid(errors);
  const { name, description, backupType, selectedItems, excludedItems, isTeamsChatsEnabled } = entered;
  return {
    name,
    description,
    backupType,
    selected: backupType === 'SelectedItems' ? selectedItems.results : [],
    excluded: excludedItems.results,
    withChats: isTeamsChatsEnabled,
    repositoryId: entered.repositoryId,
    proxyPoolId: entered.proxyId,
    isEnabled: entered.isEnabled,
    schedule: scheduleOf(entered.schedulePolicy),
  };
}

function scheduleOf(policy: EnteredJob['schedulePolicy']): JobSchedule {
  return {
    type: policy.runAuto ? policy.type : 'Disabled',
    dailyType: policy.dailyType,
    time: policy.dailyTime,
    dayOfMonth: policy.dayOfMonth,
    everyMinutes: policy.periodicallyEvery,
    afterJobId: policy.afterJobId,
    timeZone: policy.timeZone ?? DEFAULT_TIME_ZONE,
    retries: policy.retryEnabled ? policy.retryNumber : 0,
    retryMinutes: policy.retryWaitInterval,
    window: policy.backupWindowEnabled ? policy.backupWindow : null,
  };
}

function itemErrors({ backupType, selectedItems, excludedItems }: EnteredJob): FieldError[] {
  const isEmpty = backupType === 'SelectedItems' && selectedItems.results.length === 0;
  const empty = { path: 'body.selectedItems.results', message: 'must have at least one item' };
  return [
    ...(isEmpty ? [empty] : []),
    ...idErrors('body.selectedItems.results', selectedItems.results),
    ...idErrors('body.excludedItems.results', excludedItems.results),
    ...excludedItems.results.flatMap(({ type }, index) =>
      type === 'PartialOrganization'
        ? [{ path: `body.excludedItems.results.${index}.type`, message: 'must be an object or all personal sites' }]
        : [],
    ),
  ];
}

function idErrors(path: string, items: EnteredJob['selectedItems']['results']): FieldError[] {
  return items.flatMap(({ type, id }, index) =>
    id === null && !HAS_NO_ID.has(type)
      ? [{ path: `${path}.${index}.id`, message: `must be the id of the ${type}` }]
      : [],
  );
}

function scheduleErrors({ schedulePolicy: policy }: EnteredJob): FieldError[] {
  const { type, afterJobId, timeZone, backupWindowEnabled, backupWindow } = policy;
  const at = (field: string, message: string) => ({ path: `body.schedulePolicy.${field}`, message });
  return [
    ...(policy.runAuto && type === 'Chained' && afterJobId === null
      ? [at('afterJobId', 'must name the job after which it runs')]
      : []),
    ...(timeZone !== undefined && !isTimeZone(timeZone)
      ? [at('timeZone', 'must be a time zone like Europe/Berlin')]
      : []),
    ...(backupWindowEnabled && !backupWindow?.includes(true)
      ? [at('backupWindow', 'must have at least one hour in which the job may run')]
      : []),
  ];
}
