import * as branding from './branding/branding.ts';
import * as companies from './directory/companies.ts';
import * as sessions from './identity/sessions.ts';
import * as computers from './monitoring/computers.ts';
import * as insight from './monitoring/insight.ts';
import * as jobExecutions from './monitoring/job-executions.ts';
import * as repositories from './monitoring/repositories.ts';
import * as sources from './monitoring/sources.ts';
import * as notifications from './notifications/notifications.ts';
import type { Call } from './wire/call.ts';

/** Every call by its name: for the OpenAPI page, and for tests that ask something of all calls. Not for the browser. */
export const calls: Readonly<Record<string, Call>> = Object.fromEntries(
  [branding, companies, sessions, computers, insight, jobExecutions, repositories, sources, notifications].flatMap(
    (module) => Object.entries(module).filter((entry): entry is [string, Call] => isCall(entry[1])),
  ),
);

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value;
}
