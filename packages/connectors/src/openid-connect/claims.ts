import { ConnectorError } from '../base/connector-error.ts';
import type { ProvedPerson } from '../ports/identity-provider.ts';

/** What a provider says of a person: anything, until it is looked at. */
export type Claims = Readonly<Record<string, unknown>>;

const TEXT_LENGTH_MAX = 200;
/** Longer ones are never issued; what is stored as a key has a bound. */
const SUBJECT_LENGTH_MAX = 255;
/** How it says that a person has proved more than one thing (RFC 8176, OpenID EAP, REFEDS). */
const SECOND_FACTOR_CLASSES: readonly unknown[] = ['phr', 'phrh', 'https://refeds.org/profile/mfa'];

/** Reads who has signed in from claims whose signature and audience were checked. @throws ConnectorError where they do not say it */
export function personOf(claims: Claims, groupsClaim: string): ProvedPerson {
  const { iss: issuer, sub: subject } = claims;
  if (
    typeof issuer !== 'string' ||
    typeof subject !== 'string' ||
    subject === '' ||
    subject.length > SUBJECT_LENGTH_MAX
  )
    throw new ConnectorError(
      'bad-reply',
      'Its answer does not say who signed in: the claim "sub" is missing or too long.',
    );
  return {
    issuer,
    subject,
    name: shortText(claims['name']),
    userName: shortText(claims['preferred_username']),
    email: claims['email_verified'] === true ? shortText(claims['email']) : null,
    groups: groupsOf(claims, groupsClaim),
    usedSecondFactor: listOf(claims['amr']).includes('mfa') || SECOND_FACTOR_CLASSES.includes(claims['acr']),
  };
}

/** Whether the groups are missing from what it says. */
export function lacksGroups(claims: Claims, groupsClaim: string): boolean {
  return claims[groupsClaim] === undefined && !isOverage(claims, groupsClaim);
}

function groupsOf(claims: Claims, groupsClaim: string): string[] | null {
  return isOverage(claims, groupsClaim) ? null : listOf(claims[groupsClaim]);
}

/** Microsoft Entra sends a link instead of more than 200 groups. */
function isOverage(claims: Claims, groupsClaim: string): boolean {
  const elsewhere = claims['_claim_names'];
  const isNamed = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, groupsClaim);
  return isNamed || claims['hasgroups'] === true;
}

function listOf(value: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}

/** A text for people: without signs that cannot be seen, which turn the direction of writing or make one name look like another. */
function shortText(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.toWellFormed().replaceAll(/\p{C}/gu, '').trim().slice(0, TEXT_LENGTH_MAX).toWellFormed();
  return text === '' ? null : text;
}
