import { fieldsIn } from '../../../schemas/define/values.ts'
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
  evaluateMcp,
  evaluateTls,
  evaluateVersion,
  type VersionHints,
} from './evaluateChecks.ts'
import { isGood, sendRequest } from './sendRequest.ts'

/**
 * Runs all checks in a safe order: the session is checked before any public route is called, and an ended session's
 * cookies are removed then.
 * @param onResult called with each result as soon as it is known
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
  const { login_ip } = fieldsIn(isSignedIn ? profile.body?.data : undefined)
  if (!isThere) {
    for (const check of ['csrf', 'socket', 'address', 'age', 'mcp'] as const) {
      onResult({ check, health: 'skipped', outcome: 'not_reached' })
    }
    return
  }
  onResult(evaluateAddress(isSignedIn, typeof login_ip === 'string' ? login_ip : undefined, location.hostname))
  const renewal = isSignedIn ? await sendRequest('POST', 'refresh-token') : undefined
  if (renewal && isGood(renewal)) recordTokenReceipt()
  onResult(evaluateCsrf(renewal))
  const [socket, versionHints] = await Promise.all([checkSocket(isSignedIn), readVersionHints(isSignedIn)])
  onResult(socket)
  onResult(evaluateVersion(versionHints))
  onResult(evaluateMcp(versionHints.setting, isSignedIn, `${location.origin}/mcp`))
}

/** Asks Nezha servers for lists that only newer versions have; the embedded server announces its features. */
async function readVersionHints(isSignedIn: boolean): Promise<VersionHints> {
  const { body } = await sendRequest('GET', 'setting', !isSignedIn)
  const setting = body?.data as VersionHints['setting']
  const hasCsrf = cookie(cookies.csrf) !== undefined
  if (!setting || setting.wheelhouse || !isSignedIn) return { setting, hasCsrf }
  const [tokens, transfers] = await Promise.all(['api-tokens', 'transfer'].map((path) => sendRequest('GET', path)))
  return { setting, hasCsrf, tokens: tokens?.status, transfers: transfers?.status }
}

/** Whether a cookie can be set and read again. */
function keepsCookies(): boolean {
  const name = 'wheelhouse-doctor'
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where the page is not a secure context
  document.cookie = `${name}=1; Path=/; Max-Age=10; SameSite=Lax`
  const isStored = cookie(name) === '1'
  // biome-ignore lint/suspicious/noDocumentCookie: as above
  document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`
  return isStored
}
