/** The colour that was typed; `null` where it is none yet. */
export function colourOf(typed: string): string | null {
  const colour = typed.trim().toLowerCase();
  return /^#[0-9a-f]{6}$/.test(colour) ? colour : null;
}
