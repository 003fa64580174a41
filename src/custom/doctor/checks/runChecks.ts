import { cookies } from '../../../schemas/define/wireNames.ts'
import { clearCookies, cookie, hasSession } from '../../../session/token.ts'
import { noteReceipt } from '../../../session/tokenReceived.ts'
import type { Finding } from './checkResult.ts'
import { checkSocket } from './checkSocket.ts'
import {
  type AgeSigns,
  judgeAddress,
  judgeAge,
  judgeApi,
  judgeClock,
  judgeCookies,
  judgeCsrf,
  judgeTls,
} from './evaluateChecks.ts'
import { exchange, isGood } from './sendRequest.ts'

/**
 * Looks at everything, in an order that harms nobody: whose session it is comes before any public route, and a
 * session that is over is forgotten then, as everywhere in this console.
 * @param onFinding told of each finding as it is known
 */
export async function examine(onFinding: (finding: Finding) => void): Promise<void> {
  const { location } = window
  onFinding(judgeTls(location))
  const hadSession = hasSession()
  const profile = await exchange('GET', hadSession ? 'profile' : 'setting', !hadSession)
  const api = judgeApi(profile)
  onFinding(api)
  const isThere = api.health === 'good'
  const isSignedIn = hadSession && isGood(profile)
  if (hadSession && isThere && !isSignedIn) clearCookies()
  const standing = isSignedIn ? 'signedIn' : hadSession && isThere ? 'over' : 'nobody'
  onFinding(judgeCookies(keepsCookies(), standing))
  onFinding(judgeClock(profile))
  const person = isSignedIn ? (profile.body?.data as { login_ip?: string } | undefined) : undefined
  if (!isThere) {
    for (const check of ['csrf', 'socket', 'address', 'age'] as const) {
      onFinding({ check, health: 'skipped', verdict: 'not_reached' })
    }
    return
  }
  onFinding(judgeAddress(isSignedIn, person?.login_ip, location.hostname))
  const renewal = isSignedIn ? await exchange('POST', 'refresh-token') : undefined
  if (renewal && isGood(renewal)) noteReceipt()
  onFinding(judgeCsrf(renewal))
  const [socket, age] = await Promise.all([checkSocket(isSignedIn), signsOfAge(isSignedIn)])
  onFinding(socket)
  onFinding(judgeAge(age))
}

/** Asks a server that is not ours for what came late; ours says by itself what it has. */
async function signsOfAge(isSignedIn: boolean): Promise<AgeSigns> {
  const { body } = await exchange('GET', 'setting', !isSignedIn)
  const setting = body?.data as AgeSigns['setting']
  const hasCsrf = cookie(cookies.csrf) !== undefined
  if (!setting || setting.wheelhouse || !isSignedIn) return { setting, hasCsrf }
  const [tokens, transfers] = await Promise.all(['api-tokens', 'transfer'].map((path) => exchange('GET', path)))
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
