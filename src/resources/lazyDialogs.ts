import { lazyPart } from '../engine/parts/lazyPart.tsx'

/** The dialogs of actions, each loaded when it is first opened. */
export const ConfigDialog = lazyPart(() => import('./server/agentConfig/ConfigDialog.tsx'))
export const BulkConfigDialog = lazyPart(() => import('./server/agentConfig/BulkConfigDialog.tsx'))
export const DdnsNamesDialog = lazyPart(() => import('./ddns/DdnsNamesDialog.tsx'))
export const DeleteUsersDialog = lazyPart(() => import('./user/DeleteUsersDialog.tsx'))
export const ForceUpdateDialog = lazyPart(() => import('./server/ForceUpdateDialog.tsx'))
export const MoveServersDialog = lazyPart(() => import('./server/MoveServersDialog.tsx'))
export const MuteDialog = lazyPart(() => import('./mute/MuteDialog.tsx'))
export const NotifierTestDialog = lazyPart(() => import('./notification/NotifierTestDialog.tsx'))
export const NotifierUrlDialog = lazyPart(() => import('./notification/NotifierUrlDialog.tsx'))
export const ReinstallDialog = lazyPart(() => import('../custom/install/ReinstallDialog.tsx'))
export const TaskRunsDialog = lazyPart(() => import('./cron/TaskRunsDialog.tsx'))
