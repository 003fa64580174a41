import { cookies } from '../../../schemas/define/wireNames.ts'
import { clearSessionCookies, cookie, hasSession } from '../../../session/token.ts'
import { recordTokenReceipt } from '../../../session/tokenAge.ts'
import type { CheckResult } from './checkResult.ts'
import { checkSocket } from './checkSocket.ts'
import {
  evaluateAddress,
  evaluateApi,
  evaluateClock,
  evaluateCookies,
  evaluateCsrf,
  evaluateTls,
  evaluateVersion,
  type VersionHints,
} from './evaluateChecks.ts'
import { isGood, sendRequest } from './sendRequest.ts'

/**
 * Looks at everything, in an order that harms nobody: whose session it is comes before any public route, and a
 * session that is over is forgotten then, as everywhere in this console.
 * @param onResult told of each result as it is known
 */
export async function runChecks(onResult: (result: CheckResult) => void): Promise<void> {
  const { location } = window
  onResult(evaluateTls(location))
  const hadSession = hasSession()
  const profile = await sendRequest('GET', hadSession ? 'profile' : 'setting', !hadSession)
  const api = evaluateApi(profile)
  onResult(api)
  const isThere = api.health === 'good'
  const isSignedIn = hadSession && isGood(profile)
  if (hadSession && isThere && !isSignedIn) clearSessionCookies()
  const session = isSignedIn ? 'signedIn' : hadSession && isThere ? 'over' : 'nobody'
  onResult(evaluateCookies(keepsCookies(), session))
  onResult(evaluateClock(profile))
  const person = isSignedIn ? (profile.body?.data as { login_ip?: string } | undefined) : undefined
  if (!isThere) {
    for (const check of ['csrf', 'socket', 'address', 'age'] as const) {
      onResult({ check, health: 'skipped', outcome: 'not_reached' })
    }
    return
  }
  onResult(evaluateAddress(isSignedIn, person?.login_ip, location.hostname))
  const renewal = isSignedIn ? await sendRequest('POST', 'refresh-token') : undefined
  if (renewal && isGood(renewal)) recordTokenReceipt()
  onResult(evaluateCsrf(renewal))
  const [socket, age] = await Promise.all([checkSocket(isSignedIn), readVersionHints(isSignedIn)])
  onResult(socket)
  onResult(evaluateVersion(age))
}

/** Asks a server that is not ours for what came late; ours says by itself what it has. */
async function readVersionHints(isSignedIn: boolean): Promise<VersionHints> {
  const { body } = await sendRequest('GET', 'setting', !isSignedIn)
  const setting = body?.data as VersionHints['setting']
  const hasCsrf = cookie(cookies.csrf) !== undefined
  if (!setting || setting.wheelhouse || !isSignedIn) return { setting, hasCsrf }
  const [tokens, transfers] = await Promise.all(['api-tokens', 'transfer'].map((path) => sendRequest('GET', path)))
  return { setting, hasCsrf, tokens: tokens?.status, transfers: transfers?.status }
}

/** Whether a cookie can be left here and found again. */
function keepsCookies(): boolean {
  const name = 'wheelhouse-doctor'
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where the page is not a secure context
  document.cookie = `${name}=1; Path=/; Max-Age=10; SameSite=Lax`
  const isKept = cookie(name) === '1'
  // biome-ignore lint/suspicious/noDocumentCookie: as above
  document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`
  return isKept
}
