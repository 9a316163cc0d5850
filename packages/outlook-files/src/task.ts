import type { ItemDetails } from './item-details.ts';
import type { Recurrence } from './recurrence.ts';

/** A task. Start and due are calendar days `YYYY-MM-DD`: Outlook stores no time for them. */
export interface TaskDetails extends ItemDetails {
  kind: 'task';
  status?: 'notStarted' | 'inProgress' | 'completed' | 'waitingOnOthers' | 'deferred';
  /** 0 to 100. */
  percentComplete?: number;
  startDate?: string;
  dueDate?: string;
  completedAt?: Date;
  owner?: string;
  totalWorkMinutes?: number;
  actualWorkMinutes?: number;
  companies?: readonly string[];
  mileage?: string;
  billingInformation?: string;
  recurrence?: Recurrence;
}
