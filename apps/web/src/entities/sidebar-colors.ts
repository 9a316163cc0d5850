/** What the sidebar can be tinted with; the first is the specification's default ("portal", part 9). */
export const SIDEBAR_COLORS = ['blue', 'green', 'orange', 'red', 'purple', 'gray'] as const;
