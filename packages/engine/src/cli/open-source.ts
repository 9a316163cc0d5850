import { connect, openSource } from '../engine.ts';
import { EngineError } from '../model/engine-error.ts';
import type { GraphConnection, GraphOptions } from '../source/graph/connection.ts';
import type { GraphSourceOptions } from '../source/graph/reader.ts';
import type { Source } from '../source/source.ts';
import type { CommandContext } from './command.ts';
import type { CommandOption } from './command-option.ts';
import { printEvents } from './print-events.ts';

/** How a command reaches a tenant. */
export const TENANT_OPTIONS: Readonly<Record<string, CommandOption>> = {
  tenant: {
    type: 'string',
    help: 'file with the tenant and its applications, as JSON (KEEPWATCH_TENANT); see docs/engine.md',
  },
  'time-limit': {
    type: 'string',
    help: 'seconds to wait for an answer of Microsoft 365 before it is asked again (120)',
  },
};

const SECONDS_MAX = 3_600;

/** The source that `--tenant` describes. @throws `bad-request` that names what is wrong in the file */
export async function openGivenSource(context: CommandContext, options: GraphSourceOptions = {}): Promise<Source> {
  return openSource(await openGivenConnection(context), options);
}

/** Connects to the tenant that `--tenant` describes; long waits for it are reported. */
export async function openGivenConnection(
  context: Pick<CommandContext, 'given' | 'environment' | 'output'>,
): Promise<GraphConnection> {
  return connect(await readGivenTenant(context), printEvents(context.output).onEvent);
}

/** How to reach the tenant that `--tenant` describes. @throws `bad-request` that names what is wrong */
export async function readGivenTenant({
  given,
  environment,
}: Pick<CommandContext, 'given' | 'environment'>): Promise<GraphOptions> {
  const path = given.text('tenant') ?? environment.KEEPWATCH_TENANT;
  if (path === undefined || path === '') {
    throw new EngineError('bad-request', 'Say which tenant: --tenant <file>, or KEEPWATCH_TENANT.');
  }
  const timeLimitMs = given.count('time-limit', 120, SECONDS_MAX, 1) * 1_000;
  const { readTenantFile } = await import('./tenant-file.ts');
  const tenant = await readTenantFile(path);
  return { ...tenant, timeLimitMs };
}
