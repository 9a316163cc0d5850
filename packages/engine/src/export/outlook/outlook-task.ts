import type { Attachment, OutlookTask } from '@keepwatch/outlook-files/outlook-item';
import type { ItemVersion } from '../../model/items.ts';
import { type JsonObject, objectsOf, textOf } from '../../source/graph/json.ts';
import { bodyOf, dayOf, known, oneOf, recurrenceOf, sharedDetails, zonedMomentOf } from './outlook-fields.ts';

const STATUS = ['notStarted', 'inProgress', 'completed', 'waitingOnOthers', 'deferred'] as const;

/**
 * https://learn.microsoft.com/graph/api/resources/todotask. Outlook's tasks know no steps and no links: they come below the text, so
 * that nothing is lost.
 */
export function outlookTask(
  item: ItemVersion,
  properties: JsonObject,
  attachments: readonly Attachment[],
): OutlookTask {
  const status = oneOf(STATUS, properties['status']);
  return {
    kind: 'task',
    subject: textOf(properties['title']) ?? item.name,
    ...withLines(bodyOf(properties['body']), [...stepsOf(properties), ...linksOf(properties)]),
    ...sharedDetails(properties),
    ...known({
      status,
      percentComplete: status === 'completed' ? 100 : undefined,
      startDate: dayOf(properties['startDateTime']),
      dueDate: dayOf(properties['dueDateTime']),
      completedAt: zonedMomentOf(properties['completedDateTime']),
      remindAt: properties['isReminderOn'] === true ? zonedMomentOf(properties['reminderDateTime']) : undefined,
      recurrence: recurrenceOf(properties['recurrence']),
    }),
    attachments,
  };
}

function stepsOf(properties: JsonObject): string[] {
  return objectsOf(properties['checklistItems']).map(
    (step) => `[${step['isChecked'] === true ? 'x' : ' '}] ${textOf(step['displayName']) ?? ''}`,
  );
}

function linksOf(properties: JsonObject): string[] {
  return objectsOf(properties['linkedResources']).map((link) =>
    [textOf(link['displayName']), textOf(link['webUrl'])].filter((text) => text !== undefined).join(': '),
  );
}

function withLines(body: { bodyText?: string; bodyHtml?: string }, lines: readonly string[]) {
  if (lines.length === 0) return body;
  if (body.bodyHtml !== undefined)
    return { bodyHtml: `${body.bodyHtml}<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>` };
  return { bodyText: [body.bodyText, lines.join('\r\n')].filter((text) => text !== undefined).join('\r\n\r\n') };
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
