import type { Microsoft365Engine } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { Connection } from '../../foundation/database.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { refusing } from '../engine-refusal.ts';

/** Nothing of the portal's own tables waits. */
const { signal: NEVER } = new AbortController();

/**
 * Asks an engine for something in a request. An engine that is another system is waited for outside of the places that bound the database (decision 17),
 * so never within a transaction. @throws Refusal for what the engine refuses, and 404 for what it has not
 */
export function askEngine<T>(
  { outside }: Pick<SignedInContext, 'outside'>,
  engine: Microsoft365Engine<Connection>,
  question: (engine: Microsoft365Engine<Connection>, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return refusing(() => (engine.isElsewhere ? outside((gone) => question(engine, gone)) : question(engine, NEVER)));
}
