import { historyLines } from '../screen/scrollback.ts'
import { openTerminalSocket, type TerminalSocket, type TerminalSocketEvents } from '../socket/terminalSocket.ts'

const addressOf = (sessionId: string) =>
  new URL(`/api/v1/ws/terminal/${encodeURIComponent(sessionId)}`, location.href.replace(/^http/, 'ws')).href

/** Opens the socket of a session. @param flowWindow bytes that the server sends before it waits for an acknowledgement */
export const openSessionSocket = (
  sessionId: string,
  flowWindow: number | undefined,
  events: TerminalSocketEvents,
): TerminalSocket => openTerminalSocket({ url: addressOf(sessionId), flowWindow, lines: historyLines }, events)
