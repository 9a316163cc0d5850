/** The kinds of consoles in which users have accounts of their own, as paths and fields name them. */
export const CONSOLE_KINDS = ['vac', 'vcd', 'zerto'] as const;
export type ConsoleKind = (typeof CONSOLE_KINDS)[number];

/** How people read them. */
export const CONSOLE_KIND_TEXTS: Readonly<Record<ConsoleKind, string>> = {
  vac: 'Service Provider Console',
  vcd: 'Cloud Director',
  zerto: 'Zerto',
};
