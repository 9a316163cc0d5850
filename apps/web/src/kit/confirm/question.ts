/** What a person is asked before something is destroyed. */
export interface Question {
  title: string;
  /** What will happen, to what, and whether it can be undone. */
  text: string;
  /** The deed itself: `Remove source`, never `OK`. */
  confirmLabel: string;
  isDanger?: boolean;
}
