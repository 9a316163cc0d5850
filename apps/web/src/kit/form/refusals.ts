import { CallFailed } from '@keepwatch/contract/wire/client';

/** What the server says about the fields of a form: `errors[].path` is `body.name` for the field `name`. */
export function refusalsOf(error: unknown, fields: readonly string[]): Record<string, string> {
  const refused = error instanceof CallFailed ? error.errors : [];
  const beside = refused.map(({ path, message }) => [fieldOf(path), message] as const);
  // Of two about one field the first is shown.
  return Object.fromEntries(beside.filter(([field]) => fields.includes(field)).toReversed());
}

/** Whether everything that the server refuses is said beside one of the fields, so that it need not be said again. */
export function isSaidBeside(error: unknown, fields: readonly string[]): boolean {
  if (!(error instanceof CallFailed) || error.errors.length === 0) return false;
  return error.errors.every(({ path }) => fields.includes(fieldOf(path)));
}

function fieldOf(path: string): string {
  return path.replace(/^body\./, '');
}
