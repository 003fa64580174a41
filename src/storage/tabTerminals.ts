import { fieldsIn } from '../schemas/define/values.ts'

/** A terminal of this tab, whose shell the server holds while the page is loaded again. */
export interface TabTerminal {
  serverId: number
  serverName: string
  sessionId: string
}

const keyOf = (pageServerId: number) => `wheelhouse.terminals.${pageServerId}`

/**
 * The terminals that this tab had open on the page of a server, in order. Kept by the tab and for as long as it is open:
 * another one asks the server for its list.
 */
export function tabTerminals(pageServerId: number): readonly TabTerminal[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(pageServerId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isTabTerminal) : []
  } catch {
    return []
  }
}

export function saveTabTerminals(pageServerId: number, terminals: readonly TabTerminal[]): void {
  try {
    if (terminals.length === 0) sessionStorage.removeItem(keyOf(pageServerId))
    else sessionStorage.setItem(keyOf(pageServerId), JSON.stringify(terminals))
  } catch {
    // Storage is forbidden: a reload begins with a new shell, and the old one is in the list.
  }
}

function isTabTerminal(value: unknown): value is TabTerminal {
  const { serverId, serverName, sessionId } = fieldsIn(value)
  return typeof serverId === 'number' && typeof serverName === 'string' && typeof sessionId === 'string'
}
