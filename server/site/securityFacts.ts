import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type SecurityFacts, securityEndpoints } from '../../src/schemas/endpoints/securityEndpoints.ts'
import type { AuditLog, AuditRow } from '../audit/auditLog.ts'
import { isLoopbackAddress } from '../auth/addresses/clientAddress.ts'
import type { BackupStatus } from '../backups/backups.ts'
import { route } from '../http/routes/route.ts'
import type { Settings } from '../settings.ts'
import { timestamp } from '../wire/apiCall.ts'

interface SecurityFactsOptions {
  settings: Pick<Settings, 'host' | 'publicUrl' | 'tls' | 'allowPrivateTargets'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

const dayMs = 86_400_000
const weekMs = 7 * dayMs

/** Lines of the audit log that one look reads: a week of a busy server, and a fraction of a second. */
const maxLines = 20_000
const pageSize = 1_000

/** Addresses with failed sign-ins in one reply. */
const maxAddresses = 100

/** Facts for the security page that no list has: how this server was started, and what happened in the last days. */
export const securityFactsPlugin = fp(
  async (app: FastifyInstance, { settings, now }: SecurityFactsOptions) => {
    route(app, 'securityFacts', securityEndpoints.securityFacts, async () => {
      const { rows, complete } = await linesSince(app.audit, now() - weekMs)
      return {
        plain_http: servesPlainHttp(settings),
        private_targets: settings.allowPrivateTargets === true,
        failed_sign_ins: failedSignIns(rows, now() - dayMs),
        changed_tasks: changedTasks(rows),
        complete,
        backups: backupFacts(app.backupStatus()),
      }
    })
  },
  { name: 'security-facts', dependencies: ['security', 'audit', 'backups'] },
)

/** Whether other machines can reach the server, and nothing says that TLS is in between. */
export function servesPlainHttp({ host, tls, publicUrl }: SecurityFactsOptions['settings']): boolean {
  const isLocal = host === 'localhost' || isLoopbackAddress(host)
  return !isLocal && !tls && publicUrl?.protocol !== 'https:'
}

/** When the latest backup by schedule was made, and why there is no newer one. */
function backupFacts({ scheduled, latest, failure }: BackupStatus): SecurityFacts['backups'] {
  return {
    scheduled,
    ...(latest !== undefined && { latest: timestamp(latest) }),
    ...(failure && { failure: { at: timestamp(failure.at), message: failure.message } }),
  }
}

/** The lines of the audit log from a time on, the latest first. @param since milliseconds since 1970 */
async function linesSince(audit: AuditLog, since: number): Promise<{ rows: AuditRow[]; complete: boolean }> {
  const rows: AuditRow[] = []
  for (let offset = 0; offset < maxLines; offset += pageSize) {
    const page = await audit.read(offset, pageSize)
    const older = page.rows.findIndex(({ at }) => at !== undefined && Date.parse(at) < since)
    rows.push(...(older < 0 ? page.rows : page.rows.slice(0, older)))
    if (older >= 0 || offset + pageSize >= page.total) return { rows, complete: true }
  }
  return { rows, complete: false }
}

function failedSignIns(rows: readonly AuditRow[], since: number): SecurityFacts['failed_sign_ins'] {
  const counts = new Map<string, number>()
  for (const { action, at = '', address = '' } of rows) {
    if (action !== 'session.sign-in-failed' || Date.parse(at) < since) continue
    counts.set(address, (counts.get(address) ?? 0) + 1)
  }
  return [...counts]
    .map(([address, count]) => ({ address, count }))
    .sort((one, other) => other.count - one.count)
    .slice(0, maxAddresses)
}

/** The latest change of each task. */
function changedTasks(rows: readonly AuditRow[]): SecurityFacts['changed_tasks'] {
  const latest = new Map<number, SecurityFacts['changed_tasks'][number]>()
  for (const { action, at = '', target, username } of rows) {
    const id = Number(/^cron (\d+)$/.exec(target ?? '')?.[1])
    if (!['cron.create', 'cron.update'].includes(action ?? '') || !id || latest.has(id)) continue
    latest.set(id, { id, at, ...(username && { username }) })
  }
  return [...latest.values()]
}
