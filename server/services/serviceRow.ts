import { checkKindOf } from '../../src/schemas/checks/checks.ts'
import { roles } from '../../src/schemas/define/access.ts'
import { secretsIn } from '../../src/schemas/define/innerSecrets.ts'
import { sameValue } from '../../src/schemas/define/values.ts'
import type { monitorTypes, service } from '../../src/schemas/service.ts'
import type { Row } from '../entities/row.ts'
import type { Check } from '../machines/hosts/probe.ts'
import { mayAct } from '../person.ts'
import { readCheck } from './checks/validateCheck.ts'

/** A service in the database. */
export type ServiceRow = Row<typeof service>

/** The probe of a service; `undefined` for an unknown type, as another version may have saved it. */
export function probeOf({ type, target }: Pick<ServiceRow, 'type' | 'target'>): Check | undefined {
  const types: Readonly<Record<number, Check['type'] | undefined>> = {
    1: 'http',
    2: 'icmp',
    3: 'tcp',
  } satisfies Record<keyof typeof monitorTypes, Check['type']>
  const probeType = types[type]
  return probeType && { type: probeType, target }
}

/** Whether two versions of a service ask for the same. */
export const isSameCheck = (one: ServiceRow, other: ServiceRow): boolean =>
  one.target === other.target && one.type === other.type && sameValue(one.check, other.check)

/** Whether it is checked at all: it is paused, or another version has saved a type or a check that this one does not know. */
export const isCheckable = (row: ServiceRow): boolean =>
  !row.paused && (row.check ? readCheck(row.check) !== undefined : probeOf(row) !== undefined)

const secretKeepers = new WeakMap<object, boolean>()

/** Whether a check has passwords, headers or other secrets, which the machine that checks may read. */
export function holdsSecrets({ check }: Pick<ServiceRow, 'check'>): boolean {
  if (!check) return false
  const known = secretKeepers.get(check) ?? secretsIn(check, checkKindOf(check)?.secrets ?? []).length > 0
  secretKeepers.set(check, known)
  return known
}

/**
 * Whether a server checks a service: it is covered by the service's list, and the owner of the service may use it. An
 * administrator's secrets go to machines of members only where they are named.
 */
export function isCovered(
  service: ServiceRow,
  server: Pick<Row, 'id' | 'user_id'>,
  roleOf: (id: number) => number | undefined,
): boolean {
  if (!mayAct(service.user_id, roleOf)) return false
  const isListed = service.skip_servers?.[server.id] === true
  if (service.cover === 0 ? isListed : !isListed) return false
  if (server.user_id === service.user_id) return true
  if (roleOf(service.user_id) !== roles.admin) return false
  const isOfAdmins = server.user_id === 0 || roleOf(server.user_id) === roles.admin
  return service.cover !== 0 || isOfAdmins || !holdsSecrets(service)
}
