import type { EntityName } from '../../src/schemas/index.ts'
import type { Texts } from '../define/text.ts'
import { alarm } from './alarm.ts'
import { alertRule } from './alertRule/alertRule.ts'
import { audit } from './audit.ts'
import { cron } from './cron.ts'
import { ddns } from './ddns.ts'
import { delivery } from './delivery.ts'
import { maintenanceWindow } from './maintenanceWindow.ts'
import { mute } from './mute.ts'
import { nat } from './nat.ts'
import { notification } from './notification.ts'
import { notificationGroup } from './notificationGroup.ts'
import { onlineUser } from './onlineUser.ts'
import { server } from './server.ts'
import { serverGroup } from './serverGroup.ts'
import { serverShare } from './serverShare.ts'
import { service } from './service.ts'
import { user } from './user.ts'
import { waf } from './waf.ts'

/** The texts of every entity. A new one is one line here. */
export const entities = {
  server,
  service,
  cron,
  notification,
  'alert-rule': alertRule,
  ddns,
  nat,
  'server-group': serverGroup,
  'server-share': serverShare,
  'notification-group': notificationGroup,
  user,
  waf,
  'online-user': onlineUser,
  audit,
  alarm,
  delivery,
  'maintenance-window': maintenanceWindow,
  mute,
} satisfies Record<EntityName, Texts>
