import { pick, unit } from '../../world/random.ts';
import { sentences, subjects } from '../mail/phrases.ts';
import type { PlainSeed } from '../mailbox/plain-seed.ts';
import type { JsonObject } from '../wire/json.ts';

/** The task of a number; its steps and links are stored with it and returned by calls of their own. */
export function generateTask({ seed, number, bornMs }: PlainSeed): JsonObject {
  const isDone = unit(seed, number, 751) < 0.4;
  const dueDateTime = {
    dateTime: `${new Date(bornMs + 7 * 86_400_000).toISOString().slice(0, 10)}T00:00:00.0000000`,
    timeZone: 'UTC',
  };
  return {
    title: pick(subjects, seed, number, 752) || 'Task',
    importance: unit(seed, number, 753) < 0.2 ? 'high' : 'normal',
    isReminderOn: false,
    status: isDone ? 'completed' : 'notStarted',
    categories: [],
    hasAttachments: false,
    body: { content: pick(sentences, seed, number, 754), contentType: 'text' },
    ...(unit(seed, number, 755) < 0.5 ? { dueDateTime } : {}),
    ...(isDone ? { completedDateTime: dueDateTime } : {}),
    checklistItems:
      unit(seed, number, 756) < 0.3
        ? [
            {
              id: `step-${number}`,
              displayName: 'First step',
              isChecked: isDone,
              createdDateTime: new Date(bornMs).toISOString(),
            },
          ]
        : [],
    linkedResources: [],
  };
}
