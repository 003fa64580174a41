import { lazyPart } from '../../resources/engine/parts/lazyPart.tsx'

/** The dialogs of actions, each loaded when it is first opened. */
export const ConfigDialog = lazyPart(() => import('./agentConfig/ConfigDialog.tsx'))
export const BulkConfigDialog = lazyPart(() => import('./agentConfig/BulkConfigDialog.tsx'))
export const DdnsNamesDialog = lazyPart(() => import('./DdnsNamesDialog.tsx'))
export const DeleteUsersDialog = lazyPart(() => import('./DeleteUsersDialog.tsx'))
export const ForceUpdateDialog = lazyPart(() => import('./ForceUpdateDialog.tsx'))
export const MoveServersDialog = lazyPart(() => import('../nezha/MoveServersDialog.tsx'))
export const MuteDialog = lazyPart(() => import('./MuteDialog.tsx'))
export const NotifierTestDialog = lazyPart(() => import('./notifier/NotifierTestDialog.tsx'))
export const NotifierUrlDialog = lazyPart(() => import('./notifier/NotifierUrlDialog.tsx'))
export const ReinstallDialog = lazyPart(() => import('./install/ReinstallDialog.tsx'))
export const TaskRunsDialog = lazyPart(() => import('./TaskRunsDialog.tsx'))
