import type { Ended } from '../command-line.ts';

/** What a verify found. */
export interface Verdict {
  packs: Set<string>;
  /** Runs whose journal has a fault. */
  journals: Set<string>;
  /** Item versions that cannot be brought back, as `object id`. */
  versions: string[];
  /** How many earlier ones were accepted as lost. */
  acceptedVersions: number;
}

export function readVerdict({ lines }: Ended): Verdict {
  const texts = (name: string) => lines.flatMap((line) => (typeof line[name] === 'string' ? [line[name]] : []));
  const result = lines.findLast(({ type }) => type === 'result');
  const accepted = result?.['accepted'];
  const count = typeof accepted === 'object' && accepted !== null && 'itemVersions' in accepted;
  return {
    packs: new Set(texts('pack')),
    journals: new Set(texts('run')),
    versions: lines.filter(({ type }) => type === 'row').map((row) => `${row['object']} ${row['id']}`),
    acceptedVersions: count ? Number(accepted.itemVersions) : 0,
  };
}
