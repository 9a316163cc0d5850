/** Under what a note on a fault is stored while it is written: its last run is another one when its job fails again. */
export function draftKey(faultId: string): string {
  return `fault ${faultId}`;
}
