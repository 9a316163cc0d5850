import { ConnectorError } from '../base/connector-error.ts';
import { DirectoryRefusal, type RefusalReason } from '../ports/user-directory.ts';

/** Windows error codes that a refused bind names after `data`. */
const BIND_REASONS: Readonly<Record<string, RefusalReason>> = {
  '525': 'wrong-credentials',
  '52e': 'wrong-credentials',
  '530': 'not-now',
  '531': 'not-now',
  '532': 'must-change',
  '533': 'disabled',
  '701': 'account-expired',
  '773': 'must-change',
  '775': 'locked',
};

/** Windows error codes with which the text of any other refusal begins. */
const CHANGE_REASONS: Readonly<Record<string, RefusalReason>> = {
  '0000052d': 'password-refused',
  '00000056': 'wrong-credentials',
  '00000775': 'locked',
};

const INVALID_CREDENTIALS = 49;
const UNWILLING_TO_PERFORM = 53;
const INSUFFICIENT_ACCESS = 50;
const NO_SUCH_OBJECT = 32;
/** Another controller may do what one is too busy for, or does not do now. */
const ELSEWHERE = [51, 52];

/**
 * Why a controller refused a person; `null` where the error says something of the connection instead. The Windows code decides: the same rule
 * for passwords is refused with LDAP code 19 or 53, depending on whether it is a change or a reset and on who serves the directory.
 */
export function reasonOf(error: unknown): RefusalReason | null {
  if (!(error instanceof Error)) return null;
  const { message } = error;
  const code = codeOf(error);
  const data = /\bdata ([0-9a-f]+)/i.exec(message)?.[1]?.toLowerCase() ?? '';
  if (code === INVALID_CREDENTIALS) return BIND_REASONS[data] ?? 'wrong-credentials';
  const change = CHANGE_REASONS[/^[0-9a-f]{8}(?=:)/i.exec(message)?.[0].toLowerCase() ?? ''];
  if (change !== undefined) return change;
  // Code 53 is also what a controller says that must not be written to, or a value in the wrong form.
  const isOfPassword = code === UNWILLING_TO_PERFORM && /WILL_NOT_PERFORM/.test(message);
  return isOfPassword ? 'password-refused' : null;
}

/** Names what went wrong. @param what was to be done, beginning the sentence */
export function directoryError(error: unknown, what: string): Error {
  if (error instanceof ConnectorError || error instanceof DirectoryRefusal) return error;
  const reason = reasonOf(error);
  if (reason !== null) return new DirectoryRefusal(reason, { cause: error });
  const said = error instanceof Error ? error.message : 'unknown error';
  const code = codeOf(error);
  if (code === INSUFFICIENT_ACCESS)
    return new ConnectorError('not-allowed', `${what}: the account of this connection may not do that (${said})`);
  if (code === NO_SUCH_OBJECT) return new ConnectorError('not-allowed', `${what}: there is no such entry (${said})`);
  if (code > 0) return new ConnectorError('bad-reply', `${what}: ${said}`, { cause: error });
  return new ConnectorError('not-reachable', `${what}: ${said}`, { cause: error });
}

/** Whether another controller may answer instead. A refused account is refused everywhere. */
export function isWorthAnother(error: unknown): boolean {
  if (error instanceof DirectoryRefusal) return false;
  if (error instanceof ConnectorError) return error.kind === 'not-reachable';
  const code = codeOf(error);
  return code === 0 || ELSEWHERE.includes(code);
}

/** The LDAP result code; 0 for what is none: the connection failed. */
function codeOf(error: unknown): number {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : 0;
}
