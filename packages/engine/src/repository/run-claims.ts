import { EngineError } from '../model/engine-error.ts';
import { isAbsent } from '../store/has-object.ts';
import type { ObjectFacts, ObjectStore } from '../store/object-store.ts';
import type { RepositoryKeys } from './keys.ts';
import { CLAIMS_NAME, ENDED_NAME } from './object-names.ts';
import { parseJson } from './parse-json.ts';
import type { ClaimingRun, EndedRun, OtherRuns, Revisions, RunClaims } from './repository.ts';
import { seal, unseal } from './sealed.ts';

const FOLDER = 'claims/';
/** How often claims are listed again that were replaced meanwhile. What a list shows after that although it is gone was given back. */
const LOOKS = 20;

interface ClaimPlace {
  store: ObjectStore;
  keys: RepositoryKeys;
}

/** What a run claims, in one object of the store that is replaced as that changes (format, 8). */
export class StoredClaims implements RunClaims {
  private readonly place: ClaimPlace;
  private readonly run: string;
  private number = 0;
  /** Claims of other runs that were read: an object never changes. */
  private readonly known = new Map<string, ClaimingRun>();

  constructor(place: ClaimPlace, run: string) {
    this.place = place;
    this.run = run;
  }

  async claim(objects: readonly string[], sequence: number): Promise<void> {
    const before = this.number;
    this.number += 1;
    await this.write(claimsName(this.run, this.number), { sequence, objects });
    if (before > 0) await this.place.store.delete(claimsName(this.run, before));
  }

  async look(): Promise<OtherRuns> {
    for (let look = 1; ; look += 1) {
      const others = await this.lookOnce(look === LOOKS);
      if (others !== null) return others;
    }
  }

  async closeOf(run: string, sequence: number, objects: Revisions): Promise<void> {
    if (sequence > 0) await this.write(endedName(run, sequence, 1), { objects });
    for await (const { name } of this.place.store.list(FOLDER + run))
      if (CLAIMS_NAME.exec(name)?.[1] === run) await this.place.store.delete(name);
  }

  async end(sequence: number, objects: Revisions): Promise<void> {
    if (this.number === 0) return;
    await this.write(endedName(this.run, sequence, 1), { objects });
    await this.place.store.delete(claimsName(this.run, this.number));
  }

  async revisionsOf({ name }: EndedRun): Promise<Revisions> {
    const objects = (await this.read(name))?.['objects'];
    return Array.isArray(objects) ? objects.flatMap(revisionIn) : [];
  }

  async forget(ended: EndedRun, left: Revisions = []): Promise<void> {
    const { run, sequence, form } = ended;
    if (left.length > 0) await this.write(endedName(run, sequence, form + 1), { objects: left });
    await this.place.store.delete(ended.name);
  }

  /** `null` where claims were replaced while they were read. */
  private async lookOnce(isLast: boolean): Promise<OtherRuns | null> {
    const claiming = new Map<string, ClaimingRun>();
    const ended = new Map<string, EndedRun>();
    for await (const facts of this.place.store.list(FOLDER)) {
      const end = endedRun(facts);
      // Of several forms the last one counts.
      if (end !== null) ended.set(end.run, end);
      const run = CLAIMS_NAME.exec(facts.name)?.[1];
      if (run === undefined || run === this.run) continue;
      const claims = await this.claimsIn(facts.name);
      if (claims !== null) claiming.set(run, joined(claiming.get(run), claims));
      else if (!isLast) return null;
    }
    return { claiming, ended: [...ended.values()] };
  }

  private async claimsIn(name: string): Promise<ClaimingRun | null> {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    try {
      const claims = claimsOf(await this.read(name));
      this.known.set(name, claims);
      return claims;
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  /** `null` for what cannot be read. */
  private async read(name: string): Promise<Record<string, unknown> | null> {
    const { store, keys } = this.place;
    try {
      const value = parseJson(await unseal(keys.encryption, name, await store.read(name)));
      return typeof value === 'object' && value !== null ? { ...value } : null;
    } catch (error) {
      if (error instanceof EngineError && error.code === 'damaged') return null;
      throw error;
    }
  }

  private async write(name: string, value: object): Promise<void> {
    const { store, keys } = this.place;
    await store.create(name, await seal(keys.encryption, name, `${JSON.stringify(value)}\n`));
  }
}

const padded = (number: number, digits: number) => String(number).padStart(digits, '0');
const claimsName = (run: string, number: number) => `${FOLDER}${run}-${padded(number, 8)}`;
const endedName = (run: string, sequence: number, form: number) =>
  `${FOLDER}${run}-ended-${padded(sequence, 8)}-${padded(form, 4)}`;

function endedRun({ name, createdAt }: ObjectFacts): EndedRun | null {
  const [, run, sequence, form] = ENDED_NAME.exec(name) ?? [];
  return run === undefined ? null : { name, run, sequence: Number(sequence), form: Number(form), createdAt };
}

/** Claims that cannot be read claim every object: who lives may be working on any. */
function claimsOf(value: Record<string, unknown> | null): ClaimingRun {
  const objects = value?.['objects'];
  if (!Array.isArray(objects)) return { sequence: 0, objects: [], has: () => true };
  const keys = new Set(objects.map(String));
  return { sequence: Number(value?.['sequence']) || 0, objects: [...keys], has: (key) => keys.has(key) };
}

/** While claims are replaced, both the earlier and the later ones count. */
function joined(one: ClaimingRun | undefined, other: ClaimingRun): ClaimingRun {
  if (one === undefined) return other;
  return {
    sequence: Math.max(one.sequence, other.sequence),
    objects: [...new Set([...one.objects, ...other.objects])],
    has: (key) => one.has(key) || other.has(key),
  };
}

function revisionIn(pair: unknown): (readonly [string, number])[] {
  return Array.isArray(pair) ? [[String(pair[0]), Number(pair[1]) || 0]] : [];
}
