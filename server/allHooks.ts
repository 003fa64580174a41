import { alarmHooks } from './alerts/alarmHooks.ts'
import type { Alarms } from './alerts/alarms.ts'
import { alertRuleHooks } from './alerts/alertRuleHooks.ts'
import type { HooksByEntity } from './api/entityHooks.ts'
import { auditHooks } from './audit/auditHooks.ts'
import type { Audit } from './audit/auditLog.ts'
import { type Accounts, userHooks } from './auth/userHooks.ts'
import { onlineUserHooks, wafHooks } from './auth/wafHooks.ts'
import { ddnsHooks } from './ddns/ddnsHooks.ts'
import type { Machines } from './machines/machines.ts'
import { serverGroupHooks } from './machines/serverGroupHooks.ts'
import { serverHooks } from './machines/serverHooks.ts'
import { natHooks } from './nat/natHooks.ts'
import type { Deliveries } from './notifications/deliveries.ts'
import { deliveryHooks } from './notifications/deliveryHooks.ts'
import { notificationGroupHooks, notificationHooks } from './notifications/notificationHooks.ts'
import type { MayCallPrivateTargets } from './outbound/privateTargets.ts'
import { serviceHooks } from './services/serviceHooks.ts'
import { cronHooks } from './tasks/cronHooks.ts'

export interface HookServices {
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

/** The hooks of all rooms, by entity name. */
export function createAllHooks(services: HookServices): HooksByEntity {
  const { machines, usernameOf, accounts, ownHosts, audit, mayCallPrivateTargets, deliveries, alarms } = services
  return {
    server: serverHooks(machines, usernameOf),
    service: serviceHooks,
    cron: cronHooks,
    'alert-rule': alertRuleHooks(),
    'server-group': serverGroupHooks,
    notification: notificationHooks(mayCallPrivateTargets),
    'notification-group': notificationGroupHooks,
    ddns: ddnsHooks,
    nat: natHooks(ownHosts),
    user: userHooks(accounts),
    waf: wafHooks(accounts.auth.waf),
    'online-user': onlineUserHooks(accounts.online),
    audit: auditHooks(audit),
    alarm: alarmHooks(alarms),
    delivery: deliveryHooks(deliveries),
  }
}
