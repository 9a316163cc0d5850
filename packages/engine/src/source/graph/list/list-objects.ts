import { inOrder } from '../../../model/in-order.ts';
import type { Alert } from '../../../model/outcome.ts';
import type { ObjectKind, ProtectedObject } from '../../../model/protected-object.ts';
import type { SelectedItem, Selection } from '../../source.ts';
import type { GraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { objectsOf } from './objects-of.ts';
import { subjectsOf } from './selected-subjects.ts';
import { allGroups, allSites, allUsers, KINDS_OF, keyOf, type Subject } from './subject.ts';

/** Subjects asked at one time for what hangs on them. */
const SUBJECTS_AT_ONCE = 8;

const GROUPS_UNREADABLE =
  'The application may not find the groups of the tenant: their conversations are not backed up. Grant it Group.Read.All.';

interface Covered {
  subject: Subject;
  kinds: ReadonlySet<ObjectKind>;
}

/** The contract is `Source.listObjects`. Persons come first, then teams and groups, then sites: a library of a team is told as the team's. */
export async function* listObjects(
  connection: GraphConnection,
  selection: Selection,
  signal: AbortSignal,
): AsyncGenerator<ProtectedObject | Alert> {
  const alerts: Alert[] = [];
  const excluded = await exclusions(connection, selection, signal, alerts);
  const covered = selection.scope === 'everything' ? everything(connection, selection, signal, alerts) : selected();
  const told = new Set<string>();
  const lists = inOrder(covered, SUBJECTS_AT_ONCE, ({ subject, kinds }) => {
    const without = excluded.get(keyOf(subject));
    const left = new Set([...kinds].filter((kind) => !without?.has(kind)));
    return left.size > 0 ? objectsOf(connection, subject, left, signal) : Promise.resolve([]);
  });
  for await (const objects of lists) {
    for (const object of objects) {
      const key = 'kind' in object ? `${object.kind}/${object.id}` : `alert/${object.message}`;
      if (!told.has(key)) yield object;
      told.add(key);
    }
  }
  yield* alerts;

  async function* selected(): AsyncGenerator<Covered> {
    for (const item of selection.include) {
      const subjects = await subjectsOf(connection, item, signal);
      if (subjects === null) alerts.push(goneAlert(item));
      for (const subject of subjects ?? []) yield { subject, kinds: kindsOf(selection, subject, item) };
    }
  }
}

async function* everything(
  connection: GraphConnection,
  selection: Selection,
  signal: AbortSignal,
  alerts: Alert[],
): AsyncGenerator<Covered> {
  const wants = (...kinds: readonly ObjectKind[]) => kinds.some((kind) => selection.kinds.includes(kind));
  async function* subjects() {
    if (wants('mailbox', 'archive', 'drive', 'chats')) yield* allUsers(connection, signal);
    if (wants('team', 'mailbox')) yield* groups();
    if (wants('site', 'drive')) yield* allSites(connection, signal);
  }
  /** Whoever backs up mailboxes alone may do without the permission to find groups, and is told. */
  async function* groups() {
    try {
      yield* allGroups(connection, signal);
    } catch (error) {
      if (wants('team') || !(error instanceof GraphError) || error.code !== 'consent-missing') throw error;
      alerts.push({ code: 'groups-not-readable', message: GROUPS_UNREADABLE });
    }
  }
  for await (const subject of subjects()) {
    if (subject.isPersonal && !selection.personalSites) continue;
    yield { subject, kinds: kindsOf(selection, subject) };
  }
}

/** Kinds by the subject they are excluded of. */
async function exclusions(
  connection: GraphConnection,
  selection: Selection,
  signal: AbortSignal,
  alerts: Alert[],
): Promise<Map<string, Set<ObjectKind>>> {
  const excluded = new Map<string, Set<ObjectKind>>();
  for (const item of selection.exclude) {
    const subjects = await subjectsOf(connection, item, signal);
    if (subjects === null) alerts.push(goneAlert(item));
    for (const subject of subjects ?? []) {
      const kinds = item.kinds ?? KINDS_OF[subject.type];
      excluded.set(keyOf(subject), new Set([...(excluded.get(keyOf(subject)) ?? []), ...kinds]));
    }
  }
  return excluded;
}

/** The library of a personal site is the OneDrive of a person, and told with that person. */
function kindsOf(selection: Selection, { type, isPersonal }: Subject, item?: SelectedItem): ReadonlySet<ObjectKind> {
  const meant = item?.kinds ?? selection.kinds;
  const kinds = KINDS_OF[type].filter((kind) => meant.includes(kind) && selection.kinds.includes(kind));
  return new Set(kinds.filter((kind) => !(isPersonal && kind === 'drive')));
}

function goneAlert({ type, id }: SelectedItem): Alert {
  const message = `The ${type} ${id} is selected in the job and is not in the tenant any more. Take it out of the job.`;
  return { code: 'selected-object-gone', message };
}
