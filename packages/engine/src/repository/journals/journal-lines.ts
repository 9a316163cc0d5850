import { EngineError } from '../../model/engine-error.ts';
import {
  type ChunkEntry,
  type Commit,
  emptyCommit,
  type ObjectChange,
  type ObjectSection,
  type PackDamage,
  type StoredPack,
} from '../commit.ts';
import { parseJson } from '../parse-json.ts';
import {
  changeLine,
  endLine,
  expiredLine,
  headerLine,
  type Line,
  readChange,
  readDamage,
  readEnd,
  readExpired,
  readHeader,
  readPack,
  readSection,
} from './journal-members.ts';

/** The text of a commit: JSON lines (format, 6). */
export function commitText(commit: Commit, program: string): string {
  let text = '';
  // Each line is text before the next is made: a commit of thousands of changes is in memory once.
  for (const line of linesOf(commit, program)) text += `${JSON.stringify(line)}\n`;
  return text;
}

function* linesOf(commit: Commit, program: string): Generator<Line> {
  if (commit.header !== null) yield headerLine(commit.header, commit.follows, program);
  for (const pack of commit.packs) yield packLine(pack);
  for (const section of commit.sections) {
    yield sectionLine(section);
    for (const change of section.changes) yield changeLine(change);
  }
  if (commit.retiredPacks.length > 0) yield { type: 'retired-packs', names: commit.retiredPacks };
  if (commit.erasedPacks.length > 0) yield { type: 'erased-packs', names: commit.erasedPacks };
  for (const { pack, chunks } of commit.damage) yield { type: 'damaged', pack, chunks };
  if (commit.expiredBefore !== null || commit.expiredJobs.length > 0)
    yield expiredLine(commit.expiredBefore, commit.expiredJobs);
  if (commit.end !== null) yield endLine(commit.end);
  if (commit.closedBy !== null) yield { type: 'closed', by: commit.closedBy };
}

function packLine({ name, sizeBytes, chunks }: StoredPack): Line {
  const entry = ({ id, offset, storedBytes, plainBytes, isCompressed, groupStart }: ChunkEntry) => {
    const place = [id, offset, storedBytes, plainBytes, isCompressed ? 1 : 0];
    return groupStart === undefined ? place : [...place, groupStart];
  };
  return { type: 'pack', name, sizeBytes, chunks: chunks.map(entry) };
}

function sectionLine({ organizationId, changes: _, at, ...object }: ObjectSection): Line {
  return { type: 'object', organization: organizationId, at: at.toISOString(), ...objectMembers(object) };
}

function objectMembers({
  key,
  kind,
  id,
  name,
  owner,
  address,
  revision,
}: Omit<ObjectSection, 'organizationId' | 'changes' | 'at'>) {
  return { key, kind, id, name, owner, address, revision };
}

/** A commit as far as its lines were read. */
interface Draft extends Commit {
  packs: StoredPack[];
  sections: (Omit<ObjectSection, 'changes'> & { changes: ObjectChange[] })[];
  retiredPacks: string[];
  erasedPacks: string[];
  damage: PackDamage[];
}

/**
 * @throws `damaged` for lines that are not what the format says. Members and types that this version does not know are passed over: a
 * later version may add some without changing the meaning of others.
 */
export function readCommit(run: string, sequence: number, text: string): Commit {
  const draft: Draft = {
    ...emptyCommit(run, sequence),
    packs: [],
    sections: [],
    retiredPacks: [],
    erasedPacks: [],
    damage: [],
  };
  const place = `commit ${sequence} of run ${run}`;
  for (const line of text.split('\n')) if (line !== '') addLine(draft, parseLine(line, place), run, place);
  return draft;
}

function parseLine(line: string, place: string): Line {
  const value: unknown = parseJson(line);
  if (typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string')
    return { ...value, type: value.type };
  throw new EngineError('damaged', `A line of ${place} is not what the format says.`);
}

function addLine(draft: Draft, line: Line, run: string, place: string): void {
  const change = readChange(line, place);
  if (change !== null) {
    const section = draft.sections.at(-1);
    if (section === undefined) throw new EngineError('damaged', `A change in ${place} belongs to no object.`);
    section.changes.push(change);
  } else if (line.type === 'object') draft.sections.push({ ...readSection(line, place), changes: [] });
  else if (line.type === 'pack') draft.packs.push(readPack(line, place));
  else if (line.type === 'run') takeHeader(draft, line, run, place);
  else if (line.type === 'damaged') draft.damage.push(readDamage(line, place));
  else if (line.type === 'end') draft.end = readEnd(line, place);
  else takeRest(draft, line, place);
}

function takeHeader(draft: Draft, line: Line, run: string, place: string): void {
  const { follows, ...header } = readHeader(line, run, place);
  draft.header = header;
  draft.follows = follows;
}

function takeRest(draft: Draft, line: Line, place: string): void {
  // One by one: a call takes some 100,000 arguments, and a prune may retire more.
  if (line.type === 'retired-packs' && Array.isArray(line.names))
    for (const name of line.names) draft.retiredPacks.push(String(name));
  if (line.type === 'erased-packs' && Array.isArray(line.names))
    for (const name of line.names) draft.erasedPacks.push(String(name));
  if (line.type === 'expired') Object.assign(draft, readExpired(line, place));
  if (line.type === 'closed') draft.closedBy = String(line.by);
}
