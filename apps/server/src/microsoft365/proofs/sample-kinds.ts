import type { Microsoft365Proof, ProvedItem } from '@keepwatch/contract/microsoft365/proofs';

/** Returns how much was restored whole of each kind. */
export function kindsOf(sample: readonly ProvedItem[]): Microsoft365Proof['kinds'] {
  const whole = sample.filter(({ fault }) => fault === null);
  return [...new Set(whole.map(({ kind }) => kind))].sort().map((kind) => {
    const ofKind = whole.filter((item) => item.kind === kind);
    return { kind, items: ofKind.length, bytes: ofKind.reduce((sum, { bytes }) => sum + bytes, 0) };
  });
}
