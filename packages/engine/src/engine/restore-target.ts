import { EngineError } from '../model/engine-error.ts';
import type { ObjectKind } from '../model/protected-object.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { GraphError } from '../source/graph/graph-error.ts';
import { textOf } from '../source/graph/json.ts';
import { path } from '../source/graph/mailbox/mailbox-paths.ts';

/** What a restore goes into, as the organization knows it. */
export interface RestoreTarget {
  id: string;
  /** For people: `the mailbox of Ada Lovelace`. */
  name: string;
}

interface Known {
  /** What is looked for. */
  noun: string;
  /** What `--to` takes. */
  takes: string;
  path(to: string): string;
  nameOf(title: string): string;
}

const USER = {
  noun: 'user',
  takes: 'the id or address of a user',
  path: (to: string) => `${path`/users/${to}`}?$select=id,displayName`,
};
type Kind = Exclude<ObjectKind, 'chats'>;
const TARGETS: Readonly<Record<Kind, Known>> = {
  mailbox: { ...USER, nameOf: (title) => `the mailbox of ${title}` },
  archive: { ...USER, nameOf: (title) => `the archive of ${title}` },
  drive: {
    noun: 'drive',
    takes: 'the id of a drive, or the address of a user who has a OneDrive',
    path: (to) => `${to.includes('@') ? path`/users/${to}/drive` : path`/drives/${to}`}?$select=id,name`,
    nameOf: (title) => `the drive ${title}`,
  },
  site: {
    noun: 'site',
    takes: 'the id of a site',
    path: (to) => `${path`/sites/${to}`}?$select=id,displayName`,
    nameOf: (title) => `the site ${title}`,
  },
  team: {
    noun: 'team',
    takes: 'the id of a team',
    path: (to) => `${path`/teams/${to}`}?$select=id,displayName`,
    nameOf: (title) => `the team ${title}`,
  },
  planner: {
    noun: 'group',
    takes: 'the id of a group',
    path: (to) => `${path`/groups/${to}`}?$select=id,displayName`,
    nameOf: (title) => `the plans of ${title}`,
  },
};

/**
 * Looks for what a restore is to go into, before anything is begun. One and the same target has one id, by whatever it was called.
 * @param object what is restored, which goes into itself unless something else was given
 * @throws EngineError `not-found` that says who was not found where, and what to check
 */
export async function findTarget(
  connection: GraphConnection,
  object: { kind: Kind; id: string; name: string },
  given: string | undefined,
  signal: AbortSignal,
): Promise<RestoreTarget> {
  const to = given ?? object.id;
  const known = TARGETS[object.kind];
  try {
    const found = await connection.ask({ path: known.path(to), signal });
    const title = textOf(found['displayName']) ?? textOf(found['name']) ?? to;
    return { id: textOf(found['id']) ?? to, name: known.nameOf(title) };
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    // Who may write there and not look it up restores all the same; an address of a drive leads nowhere without.
    if (error.status === 403 && !(object.kind === 'drive' && to.includes('@')))
      return { id: to, name: known.nameOf(to) };
    if (error.status !== 404 && error.status !== 400) throw error;
    throw new EngineError('not-found', notFound(connection, object, known, given), { cause: error });
  }
}

function notFound(
  { tenantId }: GraphConnection,
  { name }: { name: string },
  { noun, takes }: Known,
  given: string | undefined,
): string {
  const where = `in the organization ${tenantId}`;
  const check = `'tenant objects' lists what there is; --tenant says which organization is meant.`;
  return given === undefined
    ? `The ${noun} that '${name}' was backed up from is not found ${where} any more. Say with --to where it is to go: ${takes}. ${check}`
    : `The ${noun} '${given}' is not found ${where}. Check --to, which takes ${takes}. ${check}`;
}
