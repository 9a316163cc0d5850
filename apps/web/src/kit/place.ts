import type { Ability } from '@keepwatch/contract/abilities';
import type { Branding } from '@keepwatch/contract/branding/branding';
import type { User } from '@keepwatch/contract/identity/sessions';
import type { SearchTexts } from './address/search-text.ts';
import type { UrlField, UrlFields } from './address/url-state.ts';
import { userAllows } from './user-allows.ts';

/** One of the portal's applications: a part of its addresses with a sidebar of its own. */
export interface Application {
  /** The first part of its addresses: `/monitoring`. */
  path: `/${string}`;
  name: string;
  /** Who has any business in it, by the ability that its start asks for. */
  ability: Ability;
  /** Its first screen, where that is not the first of its sidebar. */
  landing?: `/${string}`;
  /** Who is admitted at all; others are led away from each of its addresses, built or not. Everybody unless given. */
  admits?: (user: User) => boolean;
}

/**
 * Who may open a place: everybody, `signed-out` users only (others are sent to the start), any `signed-in` user, or holders of the
 * ability (of one of them, if a list).
 */
export type Access = 'everybody' | 'signed-out' | 'signed-in' | Ability | readonly Ability[];

/** An address of the portal, and under which conditions it opens. */
export interface Place {
  /** From the root, parameters as `$name`: `/monitoring/daily-checks`, `/setup/$token`. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** Without one it is outside of every application, and of the shell. */
  readonly application?: Application;
  /** The place of which this is a step or a tab: its conditions are met first, and its entry of the sidebar is the current one. */
  readonly parent?: Place;
  /** What brand and user must have besides, for signed-in users: a switch of the brand, a flag of the user. */
  readonly when?: (branding: Branding, user: User) => boolean;
  /** Whether its address has the filter `company`. */
  readonly hasCompanyFilter?: true;
}

/** What links can say in the address of a place. Types alone: how it is read and written is known to the screen. */
export interface Search<S> {
  readonly values?: S;
}

/** `declarePlace({ …, search: searchOf<{ company: readonly string[] }>() })`. */
export function searchOf<S>(): Search<S> {
  return {};
}

/** Where a link leads: a place with its parameters and what its address says. Made by the place's own `at`. */
export interface Target {
  readonly place: Place;
  readonly params: SearchTexts;
  readonly search: SearchTexts;
}

/** `/a/$b/c/$d` has the parameters `b` and `d`; what is at a last `$`, slashes included, is `_splat`. */
export type ParamsOf<Path extends string> = Path extends `${string}$${infer Name}/${infer Rest}`
  ? { readonly [K in Name]: string } & ParamsOf<`/${Rest}`>
  : Path extends `${string}/$`
    ? { readonly _splat: string }
    : Path extends `${string}$${infer Name}`
      ? { readonly [K in Name]: string }
      : unknown;

type Given<Path extends string, S> =
  unknown extends ParamsOf<Path> ? [search?: Partial<S>] : [params: ParamsOf<Path>, search?: Partial<S>];

export interface DeclaredPlace<Path extends `/${string}`, S> extends Place {
  readonly path: Path;
  /** The place as a link's target: `companyPage.at({ id })`, `setup.at({ token })`. */
  at(...given: Given<Path, S>): Target;
}

type Conditions = Pick<Place, 'access' | 'application' | 'when' | 'hasCompanyFilter'>;
/** A step of another place has its access and application. */
type StepConditions = { parent: Place } & Partial<Conditions>;

/** The fields with which the screen of a place reads what links say: `{ … } satisfies FieldsOf<typeof companies>`. */
export type FieldsOf<P> =
  P extends DeclaredPlace<infer _Path, infer S> ? UrlFields & { [K in keyof S]: UrlField<S[K]> } : never;

/** Declares a place. Links name the constant, so that a link to a place that is not there does not compile. */
export function declarePlace<const Path extends `/${string}`, S = Record<never, never>>(
  place: { path: Path; search?: Search<S> } & (StepConditions | ({ parent?: never } & Conditions)),
): DeclaredPlace<Path, S> {
  const { search: _, ...own } = place;
  const conditions: Conditions = own.parent === undefined ? own : { ...conditionsOf(own.parent), ...own };
  const at = (...given: readonly unknown[]): Target => {
    const [params, search] = place.path.includes('$') ? given : [{}, given[0]];
    return { place: declared, params: textsOf(params), search: textsOf(search) };
  };
  const declared = { ...own, ...conditions, at };
  return declared;
}

function conditionsOf({ access, application }: Place): Conditions {
  return { access, ...(application === undefined ? {} : { application }) };
}

/** A place without parameters as a target. */
export function targetOf(place: Place): Target {
  return { place, params: {}, search: {} };
}

/**
 * Whether all conditions of the place are met: guards, sidebar, shortcuts and links ask nothing else. Before the brand is known
 * (`null`) each of its switches counts as on.
 */
export function isOpen(place: Place, user: User | null, branding: Branding | null): boolean {
  const { access, application, parent, when } = place;
  if (parent !== undefined && !isOpen(parent, user, branding)) return false;
  if (access === 'everybody') return true;
  if (user === null || access === 'signed-out') return user === null && access === 'signed-out';
  if (application?.admits?.(user) === false) return false;
  if (access !== 'signed-in' && !userAllows(user, access)) return false;
  return when === undefined || branding === null || when(branding, user);
}

/** As an address says it: an empty text or list is omitted. */
function textsOf(values: unknown): Record<string, string | string[]> {
  const texts = Object.entries<unknown>(Object(values)).flatMap(([name, value]): [string, string | string[]][] => {
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return [];
    return [[name, Array.isArray(value) ? value.map(String) : String(value)]];
  });
  return Object.fromEntries(texts);
}
