import { lazyPart } from '../../resources/engine/lazyPart.tsx'

/** The dialogs of actions, each fetched when it is first opened. */
export const ConfigDialog = lazyPart(() => import('./ConfigDialog.tsx'))
export const BulkConfigDialog = lazyPart(() => import('./BulkConfigDialog.tsx'))
export const DdnsNames = lazyPart(() => import('./DdnsNames.tsx'))
export const MoveDialog = lazyPart(() => import('./MoveDialog.tsx'))
export const ReinstallDialog = lazyPart(() => import('./ReinstallDialog.tsx'))
export const ServerFigures = lazyPart(() => import('../charts/ServerFigures.tsx'))
export const ServiceFigures = lazyPart(() => import('../charts/ServiceFigures.tsx'))
