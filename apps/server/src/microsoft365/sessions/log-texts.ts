import type { SessionLogLine } from '@keepwatch/connectors/ports/microsoft365-engine';
import { type EngineEvent, type ObjectKind, type Phase, skipText } from '@keepwatch/engine/engine';

type Line = Omit<SessionLogLine, 'at'>;

const PHASES: Readonly<Partial<Record<Phase, string>>> = {
  'catching-up': 'Reading what other runs have stored.',
  reading: 'Reading what has changed.',
  indexing: 'Making texts searchable.',
};

const one = (noun: string) => ({ now: `The ${noun} is`, before: `The ${noun} was` });
const several = (noun: string) => ({ now: `The ${noun} are`, before: `The ${noun} were` });

/** How a sentence about an object begins. */
const SUBJECTS: Readonly<Record<ObjectKind, { now: string; before: string }>> = {
  mailbox: one('mailbox'),
  archive: one('archive mailbox'),
  drive: one('drive'),
  site: one('site'),
  team: one('team'),
  chats: several('chats'),
  planner: several('plans'),
};

/** Returns what the log of a run says of an event; `null` for what is progress only. */
export function logLineOf(event: EngineEvent): Line | null {
  switch (event.type) {
    case 'phase':
      return lineOf('info', null, PHASES[event.phase]);
    case 'object-begun':
      return lineOf('info', event.object.name, `${SUBJECTS[event.object.kind].now} being read.`);
    case 'object-ended':
      return endedLine(event);
    case 'failure':
      return lineOf('error', event.objectName, event.message);
    case 'lost':
      return lineOf('error', event.objectName, `'${event.item.name}' could not be read: ${event.item.reason}`);
    case 'skipped':
      return lineOf('info', event.objectName, `'${event.name}' was skipped: ${skipText(event.cause)}.`);
    case 'alert':
      return lineOf('warning', event.objectName, event.message);
    case 'waiting':
      return lineOf('info', null, event.message);
    case 'progress':
    case 'stranger':
    case 'item':
      return null;
  }
}

function lineOf(level: Line['level'], objectName: string | null, text: string | undefined): Line | null {
  return text === undefined ? null : { level, objectName, text };
}

function endedLine({ object, outcome, counts }: Extract<EngineEvent, { type: 'object-ended' }>): Line {
  const { itemsRead, itemsRemoved, itemsLost } = counts;
  const lost = itemsLost === 0 ? '' : `, ${itemsLost} could not be read`;
  const text = `${SUBJECTS[object.kind].before} read: ${itemsRead} new or changed items, ${itemsRemoved} gone${lost}.`;
  if (outcome === 'Stopped') return { level: 'info', objectName: object.name, text: 'Reading was stopped.' };
  return { level: outcome === 'Success' ? 'info' : 'warning', objectName: object.name, text };
}
