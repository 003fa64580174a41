import alarm from './alarm.ts'
import alertRule from './alertRule.ts'
import audit from './audit.ts'
import cron from './cron.ts'
import ddns from './ddns.ts'
import delivery from './delivery.ts'
import type { Resource } from './engine/define/defineResource.ts'
import maintenanceWindow from './maintenanceWindow.ts'
import mute from './mute.ts'
import nat from './nat.ts'
import notification from './notification.ts'
import notificationGroup from './notificationGroup.ts'
import onlineUser from './onlineUser.ts'
import server from './server.ts'
import serverGroup from './serverGroup.ts'
import serverShare from './serverShare.ts'
import service from './service.ts'
import user from './user.ts'
import waf from './waf.ts'

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
