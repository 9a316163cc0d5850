/** Signature of a block or page, [MS-PST] 5.5: mixes its place (`position`, in bytes) with its id. */
export function signature(position: number, id: number): number {
  const mixed = (position ^ id) >>> 0; // of both only the low 32 bits count
  return ((mixed >>> 16) ^ mixed) & 0xffff;
}
