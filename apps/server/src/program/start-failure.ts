import { reasonOf } from '../foundation/errors.ts';
import { type Settings, WrongSettings } from '../foundation/settings.ts';

/** The setting that says where a role listens. */
const PORT_SETTING: Readonly<Record<string, keyof Settings>> = { api: 'PORT', sandbox: 'SANDBOX_PORT' };

/** Why a role did not start, in one line that says what to do where that is known. */
export function startFailure(role: string, error: unknown): string {
  if (error instanceof WrongSettings) return error.message;
  const setting = PORT_SETTING[role];
  const isPortInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error;
  if (isPortInUse && setting !== undefined)
    return `The ${role} could not be started: another program listens on port ${error.port}. End it, or set ${setting} to another port.`;
  return `The ${role} could not be started: ${reasonOf(error)}`;
}
