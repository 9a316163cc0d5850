/** One line of the command palette. */
export interface Choice {
  /** By which a recent choice is found again: `screen /monitoring/users`, `company <id>`. */
  key: string;
  group: string;
  label: string;
  /** Distinguishes what has the same name. */
  detail: string | null;
  run: () => void;
}

/** Whether all words of a text are in what the choice says, in any order. */
export function fits({ label, detail, group }: Choice, text: string): boolean {
  const said = `${label} ${detail ?? ''} ${group}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}
