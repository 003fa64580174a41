import type { PublicStatus } from './publicStatus.ts'

/** The overall status. What is in maintenance does not count as down. */
export interface StatusSummary {
  /** Services that are down. */
  down: number
  /** Since when the first of them has been down, in milliseconds since 1970. */
  since: number | undefined
  /** Servers that are offline. */
  offline: number
  /** Whether there are neither servers nor services. */
  isEmpty: boolean
}

/** The sentence of the page, its title and its icon follow from this, on the server and in the browser. */
export function summarize({ servers, metrics, services, states, windows }: SummarizedStatus): StatusSummary {
  const inMaintenance = {
    servers: new Set(windows.flatMap((window) => window.servers)),
    services: new Set(windows.flatMap((window) => window.services)),
  }
  const down = services.filter(({ id }) => states[id]?.state === 'down' && !inMaintenance.services.has(id))
  const begins = down.flatMap(({ id }) => (states[id]?.since ? Date.parse(states[id].since) : []))
  return {
    down: down.length,
    since: begins.length > 0 ? Math.min(...begins) : undefined,
    offline: servers.filter(({ id }) => !metrics[id] && !inMaintenance.servers.has(id)).length,
    isEmpty: servers.length + services.length === 0,
  }
}

type SummarizedStatus = Pick<PublicStatus, 'servers' | 'metrics' | 'services' | 'states' | 'windows'>

export const isTrouble = ({ down, offline }: StatusSummary): boolean => down + offline > 0
