/** The later of two instants, either of which may not be there. */
export function laterOf(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other > one) ? other : one;
}
