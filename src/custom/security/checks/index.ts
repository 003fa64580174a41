import { backups } from './backups.ts'
import { changedTasks } from './changedTasks.ts'
import type { Check } from './check.ts'
import { defaultAdminName } from './defaultAdminName.ts'
import { failedSignIns } from './failedSignIns.ts'
import { membersWithCommands } from './membersWithCommands.ts'
import { oldVersion } from './oldVersion.ts'
import { agentsWithCommands, agentsWithNat } from './openAgents.ts'
import { passwordBesideOauth2 } from './passwordBesideOauth2.ts'
import { plainHttp } from './plainHttp.ts'
import { privateTargets } from './privateTargets.ts'
import { riskyCommands } from './riskyCommands.ts'
import { secondFactorMissing } from './secondFactorMissing.ts'
import { unboundSessions } from './unboundSessions.ts'
import { uncheckedCertificates } from './uncheckedCertificates.ts'

/** Everything that the security page looks for, the worst first. */
export const checks: readonly Check[] = [
  plainHttp,
  oldVersion,
  riskyCommands,
  secondFactorMissing,
  passwordBesideOauth2,
  unboundSessions,
  uncheckedCertificates,
  privateTargets,
  backups,
  changedTasks,
  failedSignIns,
  membersWithCommands,
  agentsWithCommands,
  agentsWithNat,
  defaultAdminName,
]
