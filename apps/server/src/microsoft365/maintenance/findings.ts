import type { Finding } from '@keepwatch/contract/microsoft365/maintenance';
import type { prune, verify } from '@keepwatch/engine/engine';
import type { MaintenanceEnd } from './maintenance-runs.ts';

type VerifyResult = Awaited<ReturnType<typeof verify>>;
type PruneResult = Awaited<ReturnType<typeof prune>>;

/** Findings of one kind that are named; of the others their number is said. */
const NAMED_MAX = 200;

/** Returns how a verify ends: Failed where something cannot be brought back, Warning where something is damaged that no item needs. */
export function endOfVerify(result: VerifyResult): MaintenanceEnd {
  const { packFaults, damagedItems, journalFaults, mismatch, locks, packs, packsRead, strangers } = result;
  const findings: Finding[] = [
    ...(mismatch === null ? [] : [{ level: 'error', text: mismatch } as const]),
    ...named(damagedItems, ({ object, version }) => ({
      level: 'error',
      text: `${object.name}: '${version.name}' of ${version.modifiedAt?.toISOString() ?? 'an unknown time'} cannot be brought back whole.`,
    })),
    ...named(packFaults, ({ pack, fault }) => ({ level: 'warning', text: `${pack}: ${fault}` })),
    ...named(journalFaults, ({ run, fault }) => ({ level: 'warning', text: `Journal of run ${run}: ${fault}` })),
    ...(locks === null || locks.unlocked === 0
      ? []
      : [{ level: 'warning', text: unlockedText(locks.unlocked) } as const]),
    { level: 'info', text: `${count(packs, 'pack')} checked, ${packsRead.toLocaleString('en')} of them read whole.` },
    ...(strangers.count === 0 ? [] : [{ level: 'info', text: strangersText(strangers) } as const]),
  ];
  const worst = findings[0]?.level ?? 'info';
  return { result: RESULTS[worst], message: worst === 'info' ? null : (findings[0]?.text ?? null), findings };
}

/** By the worst finding, which comes first. */
const RESULTS = { error: 'Failed', warning: 'Warning', info: 'Success' } as const;

/** Returns how a prune ends, or what it would do. */
export function endOfPrune(result: PruneResult, isDryRun: boolean): MaintenanceEnd {
  const { versions, restorePoints, packsDeleted, packsRetained, retainedUntil, bytesFreed, erasureLeft } = result;
  const verb = isDryRun ? 'would go' : 'went';
  const findings: Finding[] = [
    ...(erasureLeft === null ? [] : [{ level: 'warning', text: erasureLeft } as const]),
    {
      level: 'info',
      text: `${count(restorePoints, 'restore point')} and ${count(versions, 'version')} of items ${verb}.`,
    },
    { level: 'info', text: `${count(bytesFreed, 'byte')} ${isDryRun ? 'would be' : 'were'} freed.` },
    ...(isDryRun ? [] : [{ level: 'info', text: `${count(packsDeleted, 'pack')} deleted.` } as const]),
    ...(packsRetained === 0 ? [] : [{ level: 'info', text: lockedText(packsRetained, retainedUntil) } as const]),
  ];
  return { result: erasureLeft === null ? 'Success' : 'Warning', message: erasureLeft, findings };
}

function named<T>(found: readonly T[], findingOf: (one: T) => Finding): Finding[] {
  const shown = found.slice(0, NAMED_MAX).map(findingOf);
  const [first] = shown;
  const more = found.length - shown.length;
  if (first === undefined || more === 0) return shown;
  return [...shown, { level: first.level, text: `${count(more, 'more finding')} of this kind.` }];
}

const count = (number: number, noun: string) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
const lockedText = (packs: number, until: Date | null) =>
  `Locked against deletion${until === null ? '' : ` until ${until.toISOString().slice(0, 10)}`}: ${count(packs, 'pack')}. A later prune deletes them.`;
const unlockedText = (unlocked: number) =>
  `${count(unlocked, 'file')} in use can be deleted with the keys of the store: locks have ended. The next backup locks them again.`;
const STRANGERS_NAMED = 20;
const strangersText = ({ count: all, names }: VerifyResult['strangers']) =>
  `${count(all, 'file')} in its folders ${all === 1 ? 'does' : 'do'} not belong to the repository: ${names.slice(0, STRANGERS_NAMED).join(', ')}${all > STRANGERS_NAMED ? ', …' : ''}.`;
