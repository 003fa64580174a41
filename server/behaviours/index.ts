import type { Alarms } from '../alerts/alarms.ts'
import type { Audit } from '../audit.ts'
import type { Machines } from '../machines.ts'
import type { Deliveries } from '../notices/deliveries.ts'
import type { MayReachInside } from '../outbound/reach.ts'
import { alarmBehaviour } from './alarm.ts'
import { alertRule } from './alertRule.ts'
import { auditBehaviour } from './audit.ts'
import type { Behaviours } from './behaviour.ts'
import { cron } from './cron/behaviour.ts'
import { ddns } from './ddns.ts'
import { deliveryBehaviour } from './delivery.ts'
import { natBehaviour } from './nat.ts'
import { notificationBehaviour, notificationGroup } from './notification.ts'
import { serverBehaviour } from './server.ts'
import { serverGroup } from './serverGroup.ts'
import { service } from './service.ts'
import { type Accounts, userBehaviour } from './user.ts'
import { onlineUserBehaviour, wafBehaviour } from './visitors.ts'

export interface BehaviourServices {
  machines: Machines
  /** A user's name by id; `undefined` when there is none. */
  usernameOf: (id: number) => string | undefined
  accounts: Accounts
  /** The names this server listens by. */
  ownHosts: readonly string[]
  audit: Audit
  mayReachInside: MayReachInside
  deliveries: Deliveries
  alarms: Pick<Alarms, 'all'>
}

/** What saving, deleting and showing mean, by entity name. An entity without an entry is a plain record. */
export function createBehaviours(services: BehaviourServices): Behaviours {
  const { machines, usernameOf, accounts, ownHosts, audit, mayReachInside, deliveries, alarms } = services
  return {
    server: serverBehaviour(machines, usernameOf),
    service,
    cron,
    'alert-rule': alertRule(),
    'server-group': serverGroup,
    notification: notificationBehaviour(mayReachInside),
    'notification-group': notificationGroup,
    ddns,
    nat: natBehaviour(ownHosts),
    user: userBehaviour(accounts),
    waf: wafBehaviour(accounts.auth.waf),
    'online-user': onlineUserBehaviour(accounts.online),
    audit: auditBehaviour(audit),
    alarm: alarmBehaviour(alarms),
    delivery: deliveryBehaviour(deliveries),
  }
}
