import { lazy, type ReactNode, Suspense, useState } from 'react';

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'));

export interface Question {
  title: string;
  /** What will happen, to what, and whether it can be undone. */
  text: string;
  /** The deed itself: `Remove source`, never `OK`. */
  confirmLabel: string;
  isDanger?: boolean;
}

/**
 * Asks before something that cannot be undone: `if (await confirm({ … })) …`. The screen renders `dialog` somewhere.
 */
export function useConfirm(): { confirm: (question: Question) => Promise<boolean>; dialog: ReactNode } {
  const [asked, setAsked] = useState<{ question: Question; answer: (isYes: boolean) => void } | null>(null);
  const confirm = (question: Question) =>
    new Promise<boolean>((resolve) => {
      const answer = (isYes: boolean) => {
        setAsked(null);
        resolve(isYes);
      };
      setAsked({ question, answer });
    });
  const dialog = asked !== null && (
    <Suspense fallback={null}>
      <ConfirmDialog question={asked.question} onAnswer={asked.answer} />
    </Suspense>
  );
  return { confirm, dialog };
}
