import type { Recurrence } from '../recurrence.ts';
import type { TaskDetails } from '../task.ts';
import { itemObject, MESSAGE_FLAG } from './item-properties.ts';
import type { MapiMessage } from './mapi-object.ts';
import { COMMON_NAMES, TASK_NAMES } from './named-properties.ts';
import type { PropertyBag } from './property-bag.ts';
import { recurrencePattern } from './recurrence/recurrence-pattern.ts';

const ICON = { single: 0x500, series: 0x501 } as const;
const STATUS = { notStarted: 0, inProgress: 1, completed: 2, waitingOnOthers: 3, deferred: 4 } as const;
/** Not assigned to another person: PidLidTaskState. */
const OWN_TASK = 1;
const SIDE_EFFECTS = 0x110;

/** A task, [MS-OXOTASK] 2.2.2. */
export function taskObject(task: TaskDetails): MapiMessage {
  const object = itemObject(task, {
    messageClass: 'IPM.Task',
    icon: task.recurrence ? ICON.series : ICON.single,
    flags: MESSAGE_FLAG.read,
    date: task.modifiedAt,
  });
  const { properties } = object;
  progressProperties(properties, task);
  const start = day(task.startDate);
  const due = day(task.dueDate);
  properties
    .time(TASK_NAMES.startDate, start)
    .time(TASK_NAMES.dueDate, due)
    .time(COMMON_NAMES.commonStart, start)
    .time(COMMON_NAMES.commonEnd, due)
    .integer(TASK_NAMES.actualEffort, task.actualWorkMinutes ?? 0)
    .integer(TASK_NAMES.estimatedEffort, task.totalWorkMinutes ?? 0)
    .text(TASK_NAMES.owner, task.owner)
    .texts(COMMON_NAMES.companies, task.companies)
    .text(COMMON_NAMES.mileage, task.mileage)
    .text(COMMON_NAMES.billing, task.billingInformation)
    .integer(COMMON_NAMES.sideEffects, SIDE_EFFECTS)
    .integer(COMMON_NAMES.taskMode, 0);
  seriesProperties(properties, task.recurrence);
  return object;
}

function progressProperties(properties: PropertyBag, task: TaskDetails): void {
  const isComplete = task.status === 'completed';
  const percent = isComplete ? 100 : Math.min(Math.max(task.percentComplete ?? 0, 0), 100);
  properties
    .integer(TASK_NAMES.status, STATUS[task.status ?? 'notStarted'])
    .floating(TASK_NAMES.percentComplete, percent / 100)
    .flag(TASK_NAMES.isComplete, isComplete)
    .time(TASK_NAMES.dateCompleted, isComplete ? task.completedAt : undefined)
    .integer(TASK_NAMES.version, 1)
    .integer(TASK_NAMES.state, OWN_TASK)
    .integer(TASK_NAMES.ownership, 0)
    .integer(TASK_NAMES.acceptanceState, 0)
    .flag(TASK_NAMES.isAccepted, false)
    .integer(TASK_NAMES.ordinal, 0x7fffffff);
}

function seriesProperties(properties: PropertyBag, recurrence: Recurrence | undefined): void {
  properties.flag(TASK_NAMES.isRecurring, recurrence !== undefined).flag(TASK_NAMES.deadOccurrence, false);
  if (recurrence) {
    properties.binary(TASK_NAMES.recurrenceBlob, recurrencePattern(recurrence, { deleted: [], modified: [] }));
  }
}

/** Tasks store calendar days: midnight, whatever the zone. */
function day(date: string | undefined): Date | undefined {
  return date ? new Date(`${date.slice(0, 10)}T00:00:00Z`) : undefined;
}
