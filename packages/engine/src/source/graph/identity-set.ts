import { isObject, objectOf, textOf } from './json.ts';

/** Kinds of identities by what people take them for: a person before the program that acted for them. */
const KINDS = ['user', 'group', 'siteUser', 'siteGroup', 'application', 'device'] as const;

/** `Display <address>` of the identity in an identity set; https://learn.microsoft.com/graph/api/resources/identityset */
export function identityOf(set: unknown): string | undefined {
  const identities = objectOf(set);
  const found = KINDS.map((kind) => identities[kind]).find(isObject);
  const name = textOf(found?.['displayName']);
  const address = textOf(found?.['email']);
  if (address === undefined || address === name) return name ?? textOf(found?.['id']);
  return name === undefined ? address : `${name} <${address}>`;
}
