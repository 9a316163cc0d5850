import { createContext, type RefObject } from 'react';

/** Asks before what is in a dialog is lost, and goes on if it may be. */
export type LeaveGuard = (go: () => void) => void;

/** Where a form within a dialog puts its question; `null` outside of dialogs. */
export const LeaveGuardContext = createContext<RefObject<LeaveGuard | null> | null>(null);
