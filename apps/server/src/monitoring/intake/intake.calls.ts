import type { Pool } from '../../foundation/database.ts';
import type { Route } from '../../foundation/http/routes.ts';
import { reportCalls } from './reports.calls.ts';
import { type SourceCallParts, sourceCalls } from './sources.calls.ts';
import { syncCalls } from './sync.calls.ts';

export interface IntakeCallParts extends SourceCallParts {
  database: Pool;
  /** The address at which tools reach the portal. */
  publicUrl: string;
}

/** Everything about where executions come from. */
export function intakeCalls(parts: IntakeCallParts): Route[] {
  return [...sourceCalls(parts), ...syncCalls, ...reportCalls(parts.database, parts.publicUrl)];
}
