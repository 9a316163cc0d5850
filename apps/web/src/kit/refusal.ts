import { CallFailed } from '@keepwatch/contract/wire/client';

/** What the server says about one field of a form. */
export function refusalOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof CallFailed)) return undefined;
  return error.errors.find(({ path }) => path === field || path === `body.${field}`)?.message;
}

/** Whether everything that the server refuses is said beside one of the fields, so that it need not be said again. */
export function isSaidBeside(error: unknown, fields: readonly string[]): boolean {
  if (!(error instanceof CallFailed) || error.errors.length === 0) return false;
  const paths = fields.flatMap((field) => [field, `body.${field}`]);
  return error.errors.every(({ path }) => paths.includes(path));
}
