import type { PublicStatus } from './publicStatus.ts'

/** What is wrong on the whole. What is in maintenance is not wrong. */
export interface StatusSummary {
  /** Services that are down. */
  down: number
  /** Since when the first of them is, in milliseconds since 1970. */
  since: number | undefined
  /** Servers that are offline. */
  offline: number
  /** Whether there is anything to be said about. */
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
