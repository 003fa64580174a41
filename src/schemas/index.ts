import { alarm } from './alarm.ts'
import { alertRule } from './alertRule.ts'
import { audit } from './audit.ts'
import { cron } from './cron.ts'
import { ddns } from './ddns.ts'
import type { Entity } from './define/entity.ts'
import { team } from './define/team.ts'
import { delivery } from './delivery.ts'
import { escalation } from './escalation.ts'
import { incident } from './incident.ts'
import { maintenanceWindow } from './maintenanceWindow.ts'
import { mute } from './mute.ts'
import { nat } from './nat.ts'
import { notification } from './notification.ts'
import { notificationGroup } from './notificationGroup.ts'
import { onlineUser } from './onlineUser.ts'
import { rota } from './rota.ts'
import { server } from './server.ts'
import { serverGroup } from './serverGroup.ts'
import { serverShare } from './serverShare.ts'
import { service } from './service.ts'
import { user } from './user.ts'
import { waf } from './waf.ts'

/** Every entity by its name. A new one is one line here. */
export const entities = {
  server,
  service,
  cron,
  notification,
  'alert-rule': alertRule,
  incident,
  ddns,
  nat,
  'server-group': serverGroup,
  'server-share': serverShare,
  'notification-group': notificationGroup,
  rota,
  escalation,
  user,
  waf,
  'online-user': onlineUser,
  audit,
  alarm,
  delivery,
  'maintenance-window': maintenanceWindow,
  mute,
} as const satisfies Record<string, Entity>

export type EntityName = keyof typeof entities

/** The entity of that name, or `undefined`: also teams, which records refer to and no list of the console shows. */
export const entityNamed = (name: string): Entity | undefined =>
  name === team.name ? team : (entities as Record<string, Entity>)[name]
