import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useContext, useEffect, useRef } from 'react';
import type { Question } from '../confirm/question.ts';
import { useConfirm } from '../confirm/use-confirm.tsx';
import { LeaveGuardContext } from '../dialog/leave-guard.ts';
import { usePortal } from '../portal.tsx';
import type { CallForm } from './use-call-form.ts';

const QUESTION: Question = {
  title: 'Discard what you entered?',
  text: 'It has not been saved.',
  confirmLabel: 'Discard',
  isDanger: true,
};

/**
 * Asks before unsaved input is lost: when the dialog around it is closed, when another screen is opened, and when the
 * page is closed or loaded again. Returns the question, to be rendered somewhere.
 */
export function useUnsaved({ isDirty, isSent }: Pick<CallForm<object>, 'isDirty' | 'isSent'>): ReactNode {
  const { session } = usePortal();
  const { confirm, dialog } = useConfirm();
  const guard = useContext(LeaveGuardContext);
  const isAsking = useRef(false);
  const mayLeave = async () => {
    if (!isDirty || isSent.current) return true;
    if (isAsking.current) return false;
    isAsking.current = true;
    const isSure = await confirm(QUESTION);
    isAsking.current = false;
    return isSure;
  };
  useEffect(() => {
    if (guard === null) return;
    guard.current = isDirty ? (go) => void mayLeave().then((isSure) => isSure && go()) : null;
    return () => {
      guard.current = null;
    };
  });
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: () => isDirty && !isSent.current,
    // Steps of a wizard are addresses of one screen. A session that has ended leads to sign-in, whatever was typed.
    shouldBlockFn: async ({ current, next }) =>
      current.routeId !== next.routeId && session.get() !== null && !(await mayLeave()),
  });
  return dialog;
}
