import type { EventEmitter } from 'node:events';
import { once } from 'node:events';
import { EmbeddedDatabaseError } from '@keepwatch/embedded-database/embedded-database-error';
import { type Command, describeEnd, runChild } from './child-run.ts';
import { type EndOfRun, watchForEnd } from './end-of-run.ts';
import { AlreadyExplained, LaunchError } from './launch-error.ts';
import type { RestartContext, RestartRules } from './restart-pauses.ts';
import { type LaunchedDatabase, type OpenDatabase, superviseDatabase } from './supervised-database.ts';
import { type RoleContext, type SupervisedRole, superviseRole } from './supervised-role.ts';

/** A role as the plan has it. */
export type PlannedRole = Command & {
  /** The others read from it: it is asked to end when they have, so that none of them finds it gone. */
  outlivesOthers?: boolean;
};

/** What is to be run, in this order: database, migration, roles one after the other. */
export type LaunchPlan = {
  openDatabase: OpenDatabase;
  /** Runs to its end, which must be exit code 0. */
  migrate: Command;
  roles: PlannedRole[];
  /** For every child; `DATABASE_URL` is added. */
  environment: NodeJS.ProcessEnv;
  restart: RestartRules;
  /** How long children may take to end in good order. */
  stopLimitMs: number;
};

/** What the launcher sees of the world. */
export type HostInfo = {
  /** Emits SIGINT, SIGTERM, SIGHUP, and 'disconnect' when the process that started us has ended: the process. */
  signals: EventEmitter;
  /** A clock that only goes forward, in milliseconds. */
  now: () => number;
  /** For lines the roles want shown: address, accounts. */
  print: (line: string) => void;
  /** For what went wrong. */
  report: (line: string) => void;
};

/** Exit code after a second signal, as of a program ended by Ctrl-C. */
const KILLED = 130;

/** The roles that were started, by when they end. */
type StartedRoles = { first: SupervisedRole[]; last: SupervisedRole[] };

/** What roles get, and the signal for those that outlive the others. */
type LaunchContext = RoleContext & { print: (line: string) => void; lastEnding: AbortSignal };

/**
 * Runs the whole program until it is asked to end or cannot go on, and ends everything it has started: roles first,
 * those that outlive the others after them, then the database. Resolves with the exit code; what went wrong has been
 * reported by then.
 */
export async function launch(plan: LaunchPlan, host: HostInfo): Promise<number> {
  const end = watchForEnd(host.signals, host.now);
  const killed = aborted(end.killing).then(() => KILLED);
  try {
    return await Promise.race([runUntilEnd(plan, host, end), killed]);
  } finally {
    end.forget();
  }
}

async function runUntilEnd(plan: LaunchPlan, host: HostInfo, end: EndOfRun): Promise<number> {
  const roles: StartedRoles = { first: [], last: [] };
  const lastEnding = endLast(roles, end);
  let database: LaunchedDatabase | undefined;
  const fail = (error: unknown) => {
    reportFailure(error, host.report);
    end.fail();
  };
  try {
    const context = launchContext(plan, host, end);
    database = await superviseDatabase(plan.openDatabase, context, fail);
    const environment = { ...plan.environment, DATABASE_URL: database.url };
    await startAll(plan, { ...context, environment, lastEnding }, roles, fail);
  } catch (error) {
    if (!end.ending.aborted) fail(error);
  }
  const exitCode = await end.exitCode;
  await settled([...roles.first, ...roles.last]);
  return stopDatabase(database, exitCode, host.report);
}

/** Aborted when the program is to end and every role that ends first has ended. */
function endLast(roles: StartedRoles, end: EndOfRun): AbortSignal {
  const ending = new AbortController();
  end.exitCode.then(() => settled(roles.first)).then(() => ending.abort());
  return ending.signal;
}

async function settled(roles: readonly SupervisedRole[]): Promise<void> {
  await Promise.allSettled(roles.map((role) => role.ended));
}

/** Adds each role to `roles` as it is started, so that the caller can wait for their end whatever happens here. */
async function startAll(
  plan: LaunchPlan,
  context: LaunchContext,
  roles: StartedRoles,
  fail: (error: unknown) => void,
): Promise<void> {
  await migrate(plan.migrate, context);
  const lines: string[] = [];
  for (const command of plan.roles) {
    if (context.ending.aborted) return;
    const isLast = command.outlivesOthers === true;
    const role = superviseRole(command, isLast ? { ...context, ending: context.lastEnding } : context);
    (isLast ? roles.last : roles.first).push(role);
    lines.push(...(await role.ready));
    role.ended.catch(fail);
  }
  for (const line of lines) context.print(line);
}

async function migrate(command: Command, context: RoleContext): Promise<void> {
  if (context.ending.aborted) return;
  const end = await runChild(command, context, () => undefined);
  if (context.ending.aborted || ('exitCode' in end && end.exitCode === 0)) return;
  if ('exitCode' in end && end.exitCode === 1) throw new AlreadyExplained(`${command.name} failed`);
  throw new LaunchError(`${command.name} ended with ${describeEnd(end)}.`);
}

function launchContext(
  { restart, stopLimitMs }: LaunchPlan,
  { now, print, report }: HostInfo,
  { ending, killing }: EndOfRun,
): RestartContext & Omit<LaunchContext, 'environment' | 'lastEnding'> {
  return { ending, killing, stopLimitMs, restart, now, print, report };
}

async function stopDatabase(
  database: LaunchedDatabase | undefined,
  exitCode: number,
  report: (line: string) => void,
): Promise<number> {
  try {
    await database?.stop();
    return exitCode;
  } catch (error) {
    reportFailure(error, report);
    return 1;
  }
}

/** One line for what is meant for people; the whole stack for a fault of ours. */
function reportFailure(error: unknown, report: (line: string) => void): void {
  if (error instanceof AlreadyExplained) return;
  if (error instanceof LaunchError || error instanceof EmbeddedDatabaseError) report(error.message);
  else report(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
