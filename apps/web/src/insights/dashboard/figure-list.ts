import { lazy } from 'react';

/** Loaded when a figure is opened. */
export const FigureList = lazy(() => import('./figure-dialog.tsx'));
