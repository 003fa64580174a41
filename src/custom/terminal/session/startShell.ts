import { cookies, csrfHeader } from '../../../schemas/define/wireNames.ts'
import { earlyReply, fetchEarly, fetchReply, type ReadReply } from '../../../session/earlyReplies.ts'
import { cookie, hasSession } from '../../../session/token.ts'
import { tabTerminals } from '../../../storage/tabTerminals.ts'
import { prepareTerminalSocket } from '../socket/terminalSocket.ts'
import { startEarly } from './earlySession.ts'
import { openSessionSocket, type TerminalFeatures } from './sessionSocket.ts'
import type { SessionServices } from './terminalSession.ts'

/*
 * Starts the shell of the server in the page's address and draws its first output, before the console is loaded. No
 * zod and no react-admin in here: the entry fetches this file beside the console. Whatever fails is requested again by
 * the page, whose calls wait for a sign-in, a proof or a new CSRF cookie.
 */

/** The id of the server that an address is a terminal of, if it is one. */
export function addressedServer(pathname: string): number | undefined {
  const [, id] = /^\/dashboard\/terminal\/([1-9]\d{0,14})\/?$/.exec(pathname) ?? []
  return id === undefined ? undefined : Number(id)
}

/** A protected route: a session that has ended is no attack there (docs/contract/CONTRACT.md#3-session-csrf-login-address-blocking). */
async function create(server_id: number): ReturnType<SessionServices['create']> {
  const csrf = cookie(cookies.csrf)
  const headers = { 'Content-Type': 'application/json', ...(csrf !== undefined && { [csrfHeader]: csrf }) }
  const init = { method: 'POST', headers, body: JSON.stringify({ server_id }) }
  const reply = readReply(await fetchReply('terminal', init))
  if (reply.success !== true) throw new Error(reply.error)
  return reply.data
}

/** Reads the settings after the session is confirmed: on their public route an ended session counts as an attack. */
async function features(): Promise<TerminalFeatures> {
  const profile = await earlyReply('profile')
  if (profile && !readReply(profile).success) throw new Error('Nobody is signed in.')
  // Started here if the console has not asked yet; both then share one request.
  fetchEarly('setting')
  const setting = await earlyReply('setting')
  const { terminal_flow, terminal_hold } = (setting && readReply(setting).data?.wheelhouse) ?? {}
  return { flowWindow: terminal_flow, holdMinutes: terminal_hold }
}

const readReply = ({ text }: ReadReply) => JSON.parse(text)

/** Where a terminal is shared, there is a shell already. */
const isShared = new URLSearchParams(window.location.search).has('share')
const serverId = isShared ? undefined : addressedServer(window.location.pathname)
if (serverId !== undefined && hasSession()) {
  prepareTerminalSocket()
  // A shell that is held is shown by the page: what it has printed may ask the terminal, which must not answer again.
  if (tabTerminals(serverId).length === 0) {
    const loadScreen = async () => (await import('../screen/earlyScreen.ts')).createEarlyScreen
    startEarly(serverId, { create, features, open: openSessionSocket, loadScreen })
  }
}
