import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Question } from './question.ts';

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'));

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
