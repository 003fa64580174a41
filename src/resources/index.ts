import type { Resource } from '../engine/define/defineResource.ts'
import alarm from './alarm/index.ts'
import alertRule from './alert-rule/index.ts'
import audit from './audit/index.ts'
import cron from './cron/index.ts'
import ddns from './ddns/index.ts'
import delivery from './delivery/index.ts'
import maintenanceWindow from './maintenance-window/index.ts'
import mute from './mute/index.ts'
import nat from './nat/index.ts'
import notification from './notification/index.ts'
import notificationGroup from './notification-group/index.ts'
import onlineUser from './online-user/index.ts'
import server from './server/index.ts'
import serverGroup from './server-group/index.ts'
import serverShare from './server-share/index.ts'
import service from './service/index.ts'
import user from './user/index.ts'
import waf from './waf/index.ts'

/** Every screen that a definition draws, in the order of the navigation. A new one is one line here. */
export const resources: readonly Resource[] = [
  server,
  service,
  cron,
  notification,
  alertRule,
  alarm,
  delivery,
  maintenanceWindow,
  mute,
  ddns,
  nat,
  serverGroup,
  notificationGroup,
  user,
  onlineUser,
  waf,
  serverShare,
  audit,
]
