import { lazy } from 'react'

/** The dialogs of actions, each fetched when it is first opened. */
export const ConfigDialog = lazy(() => import('./ConfigDialog.tsx'))
export const BulkConfigDialog = lazy(() => import('./BulkConfigDialog.tsx'))
export const ReinstallDialog = lazy(() => import('./ReinstallDialog.tsx'))
