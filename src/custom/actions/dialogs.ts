import { lazyPart } from '../../resources/engine/parts/lazyPart.tsx'

/** The dialogs of actions, each fetched when it is first opened. */
export const ConfigDialog = lazyPart(() => import('./config/ConfigDialog.tsx'))
export const BulkConfigDialog = lazyPart(() => import('./config/BulkConfigDialog.tsx'))
export const DdnsNames = lazyPart(() => import('./DdnsNames.tsx'))
export const MoveDialog = lazyPart(() => import('./MoveDialog.tsx'))
export const ReinstallDialog = lazyPart(() => import('./install/ReinstallDialog.tsx'))
export const ServerFigures = lazyPart(() => import('../charts/ServerCharts.tsx'))
export const ServiceFigures = lazyPart(() => import('../charts/ServiceCharts.tsx'))
