import { alarmBehaviour } from '../alerts/alarmHooks.ts'
import type { Alarms } from '../alerts/alarms.ts'
import { alertRule } from '../alerts/alertRuleHooks.ts'
import { auditBehaviour } from '../audit/auditHooks.ts'
import type { Audit } from '../audit/auditLog.ts'
import { onlineUserBehaviour, wafBehaviour } from '../auth/blocking/visitorHooks.ts'
import { type Accounts, userBehaviour } from '../auth/userHooks.ts'
import { ddns } from '../ddns/ddnsHooks.ts'
import type { Machines } from '../machines/machines.ts'
import { serverGroup } from '../machines/serverGroupHooks.ts'
import { serverBehaviour } from '../machines/serverHooks.ts'
import { natBehaviour } from '../nat/natHooks.ts'
import type { Deliveries } from '../notifications/deliveries.ts'
import { deliveryBehaviour } from '../notifications/deliveryHooks.ts'
import { notificationBehaviour, notificationGroup } from '../notifications/notificationHooks.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { service } from '../services/serviceHooks.ts'
import { cron } from '../tasks/cronHooks.ts'
import type { Behaviours } from './entityHooks.ts'

export interface BehaviourServices {
  machines: Machines
  /** A user's name by id; `undefined` when there is none. */
  usernameOf: (id: number) => string | undefined
  accounts: Accounts
  /** The names this server listens by. */
  ownHosts: readonly string[]
  audit: Audit
  mayCallPrivateTargets: MayCallPrivateTargets
  deliveries: Deliveries
  alarms: Pick<Alarms, 'all'>
}

/** What saving, deleting and showing mean, by entity name. An entity without an entry is a plain record. */
export function createBehaviours(services: BehaviourServices): Behaviours {
  const { machines, usernameOf, accounts, ownHosts, audit, mayCallPrivateTargets, deliveries, alarms } = services
  return {
    server: serverBehaviour(machines, usernameOf),
    service,
    cron,
    'alert-rule': alertRule(),
    'server-group': serverGroup,
    notification: notificationBehaviour(mayCallPrivateTargets),
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
