import type { z } from 'zod'
import { type Check, check, checkKindNames, checkKindOf, checkTargetProblem } from '../../src/schemas/checks/checks.ts'
import { roles } from '../../src/schemas/define/access.ts'
import { secretsIn } from '../../src/schemas/define/innerSecrets.ts'
import { issueText } from '../../src/schemas/define/issueText.ts'
import { sameValue } from '../../src/schemas/define/values.ts'
import type { monitorTypes, service } from '../../src/schemas/service.ts'
import type { Row } from '../entities/entityTable.ts'
import type { Check as HostCheck } from '../machines/hosts/probe.ts'
import { mayAct } from '../person.ts'
import { ApiError } from '../wire/apiCall.ts'
import { compilePattern } from './checks/parts/textSearch.ts'

/** A service in the database. */
export type ServiceRow = Row<typeof service>

/** The probe of a service; `undefined` for an unknown type, as another version may have saved it. */
export function probeOf({ type, target }: Pick<ServiceRow, 'type' | 'target'>): HostCheck | undefined {
  const types: Readonly<Record<number, HostCheck['type'] | undefined>> = {
    1: 'http',
    2: 'icmp',
    3: 'tcp',
  } satisfies Record<keyof typeof monitorTypes, HostCheck['type']>
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

const read = new WeakMap<object, Check | false>()

/** A stored check with its defaults: a later version may have more fields. `undefined` for one that cannot be run. */
export function readCheck(stored: object): Check | undefined {
  let known = read.get(stored)
  if (known === undefined) {
    known = check.safeParse(stored).data ?? false
    read.set(stored, known)
  }
  return known || undefined
}

/**
 * Reads the `check` of a form, with its defaults.
 * @throws ApiError with one sentence that names the field that is wrong
 */
export function validateCheck(given: unknown, target: string): Check {
  const result = check.safeParse(given)
  if (!result.success) {
    const [issue] = result.error.issues as [z.core.$ZodIssue]
    if (!checkKindOf(given)) throw new ApiError(`check.kind must be one of ${checkKindNames.join(', ')}`)
    throw new ApiError(issueText({ ...issue, path: ['check', ...issue.path] }, { check: given }))
  }
  if (target.trim() === '') throw new ApiError('target must not be empty')
  const key = checkTargetProblem(result.data, target.trim())
  if (key) throw new ApiError(issueText({ code: 'custom', message: '', path: ['target'], params: { key } }, { target }))
  if ('pattern' in result.data && result.data.pattern) compilePattern(result.data.pattern)
  return result.data
}
