import type { FastifyInstance } from 'fastify'
import { directoryPasswordExpired, providerUnusable } from '../../../src/schemas/define/wireNames.ts'
import { directoryEndpoints as endpoints } from '../../../src/schemas/endpoints/directoryEndpoints.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import { route } from '../../http/routes/route.ts'
import { personOf } from '../../person.ts'
import { ApiError } from '../../wire/apiError.ts'
import { bodyReader } from '../../wire/readJson.ts'
import type { Auth } from '../auth.ts'
import { bindAccount } from '../outside/bindAccount.ts'
import { identityOf } from '../providers/kinds.ts'
import type { DirectorySignIn } from './directorySignIn.ts'

interface BindingServices {
  auth: Auth
  audit: AuditLog
  directories: DirectorySignIn
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Binding an account of a directory, by its name and password, to one's own account here. */
export function registerDirectoryBinding(
  app: FastifyInstance,
  { auth, audit, directories, now }: BindingServices,
): void {
  route(app, 'bindDirectory', endpoints.bindDirectory, bodyReader(endpoints.bindDirectory), async (request) => {
    const { provider: name, ...credentials } = request.body
    const { address } = request
    const { id, username } = personOf(request)
    const provider = directories.enabled().find((one) => one.name === name)
    if (!provider) throw new ApiError('provider not found')
    const browserOf = (account: number | string) => auth.knownBrowsers.keyOf(request, account)
    const found = await directories.identify(provider, credentials, { address, browserOf })
    if (found === 'unusable') throw new ApiError(providerUnusable)
    if (found === 'expired') throw new ApiError(directoryPasswordExpired)
    if (found === 'refused') {
      const detail = { by: provider.name }
      audit.write({ action: 'user.wrong-password', person: { id, username }, address, target: `user ${id}`, detail })
      throw new ApiError(`"${provider.name}" does not accept this user name and password`)
    }
    // Their account or their session may have ended while the directory was asked.
    request.judgeAgain?.()
    bindAccount(
      { auth, audit, now },
      { id, username },
      { provider, subject: identityOf(provider) + found.subject, address },
    )
  })
}
