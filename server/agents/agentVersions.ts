import type { AuditLog } from '../audit/auditLog.ts'
import type { ResidentTable } from '../db/table.ts'
import type { ServerRow } from '../entities/entityTable.ts'
import { auditNames } from '../http/routes/route.ts'
import type { Machines } from '../machines/machines.ts'

interface VersionServices {
  machines: Pick<Machines, 'factsOf' | 'onReport'>
  servers: Pick<ResidentTable<ServerRow>, 'all' | 'get'>
  audit: Pick<AuditLog, 'write'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** Milliseconds: what a machine says of itself must not fill the log. */
const leastBetweenMs = 600_000
/** Characters of a version. */
const longest = 64

/**
 * Writes into the audit log when a machine reports with another version of its agent: whoever looks for why something
 * goes wrong asks what was new.
 * @returns ends it
 */
export function watchAgentVersions({ machines, servers, audit, now }: VersionServices): () => void {
  /** What was written last, or known at the start. */
  const known = new Map<number, { version: string; at: number }>()
  const versionOf = (facts: ReturnType<Machines['factsOf']>) => (facts?.host.version ?? '').slice(0, longest)
  for (const { id } of servers.all()) {
    const version = versionOf(machines.factsOf(id))
    if (version) known.set(id, { version, at: Number.NEGATIVE_INFINITY })
  }
  return machines.onReport((id, { facts }) => {
    const version = versionOf(facts)
    const before = known.get(id)
    // Several machines with one uuid may have a version each.
    if (!version || version === before?.version || facts.duplicates) return
    if (!before) {
      known.set(id, { version, at: Number.NEGATIVE_INFINITY })
      return
    }
    if (Math.abs(now() - before.at) < leastBetweenMs) return
    known.set(id, { version, at: now() })
    const name = auditNames([servers.get(id)?.name ?? ''])
    audit.write({
      action: 'server.agent-version',
      target: `server ${id}`,
      detail: { ...name, from: before.version, to: version },
    })
  })
}
