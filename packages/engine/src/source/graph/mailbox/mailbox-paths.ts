/** Ids that outlast moves, on every call to a mailbox; https://learn.microsoft.com/graph/outlook-immutable-id */
export const IMMUTABLE_ID = 'IdType="ImmutableId"';

/** Headers of a call for pages of so many entities. */
export const paged = (size: number) => ({ prefer: `${IMMUTABLE_ID}, odata.maxpagesize=${size}` });

export const SINGLE = { prefer: IMMUTABLE_ID } as const;

/** A path from its parts, each escaped. */
export function path(strings: TemplateStringsArray, ...values: readonly string[]): string {
  return values.reduce((made, value, index) => made + encodeURIComponent(value) + strings[index + 1], strings[0] ?? '');
}
