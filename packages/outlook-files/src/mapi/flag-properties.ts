import type { ItemDetails } from '../item-details.ts';
import { COMMON_NAMES, TASK_NAMES } from './named-properties.ts';
import type { PropertyBag } from './property-bag.ts';

const FLAGGED = 2;
const COMPLETE = 1;
const RED = 6;
const IN_TO_DO_LIST = 1;
const TASK_STATUS = { notStarted: 0, complete: 2 } as const;

/** Follow-up flag and reminder, [MS-OXOFLAG] 2.2 and [MS-OXORMDR] 2.2. */
export function flagProperties(properties: PropertyBag, item: ItemDetails): void {
  if (item.remindAt) {
    reminderProperties(properties, item.remindAt);
  }
  if (!item.flag) {
    return;
  }
  const { status, text, startsAt, dueAt, completedAt } = item.flag;
  const isComplete = status === 'complete';
  properties
    .integer(0x1090, isComplete ? COMPLETE : FLAGGED)
    .integer(0x1095, isComplete ? undefined : RED)
    .integer(0x0e2b, IN_TO_DO_LIST)
    .time(0x1091, isComplete ? completedAt : undefined)
    .text(COMMON_NAMES.flagRequest, text ?? 'Follow up')
    .text(COMMON_NAMES.toDoTitle, item.subject)
    .integer(COMMON_NAMES.taskMode, 0)
    .time(COMMON_NAMES.commonStart, startsAt ?? dueAt)
    .time(COMMON_NAMES.commonEnd, dueAt)
    .time(TASK_NAMES.startDate, startsAt ?? dueAt)
    .time(TASK_NAMES.dueDate, dueAt)
    .integer(TASK_NAMES.status, isComplete ? TASK_STATUS.complete : TASK_STATUS.notStarted)
    .flag(TASK_NAMES.isComplete, isComplete)
    .floating(TASK_NAMES.percentComplete, isComplete ? 1 : 0)
    .time(TASK_NAMES.dateCompleted, isComplete ? completedAt : undefined);
}

/** @param minutesBefore for items that begin at `at` and remind before it */
export function reminderProperties(properties: PropertyBag, at: Date, minutesBefore = 0): void {
  properties
    .flag(COMMON_NAMES.reminderSet, true)
    .integer(COMMON_NAMES.reminderDelta, minutesBefore)
    .time(COMMON_NAMES.reminderTime, at)
    .time(COMMON_NAMES.reminderSignalTime, new Date(at.getTime() - minutesBefore * 60_000));
}
