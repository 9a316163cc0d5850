import { LIVE_EVENTS, type LiveEventName } from '@keepwatch/contract/live-events';
import { type LiveEvent, listenForEvents, publish } from '../foundation/events.ts';
import { openLog } from '../foundation/log.ts';
import type { TestPortal } from './test-portal.ts';

/** A provider of no test: an event of it says that all before it have arrived. */
const END: LiveEvent = { name: LIVE_EVENTS[0], providerId: 999_999 };

/** Names what `work` announces to open browsers, each once, as `provider name`. */
export async function liveChangesOf(
  { database, databaseUrl }: TestPortal,
  work: () => Promise<unknown>,
): Promise<`${number} ${LiveEventName}`[]> {
  const events = await listenForEvents(databaseUrl, openLog('silent', 'test'));
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const found = new Set<`${number} ${LiveEventName}`>();
  events.subscribe(({ providerId, name }) => {
    if (providerId === END.providerId) end();
    else found.add(`${providerId} ${name}`);
  });
  try {
    await work();
    await publish(database, END);
    await ended;
  } finally {
    await events.stop();
  }
  return [...found].sort();
}
