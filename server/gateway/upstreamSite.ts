import type { IncomingHttpHeaders } from 'node:http'
import { fetchFromUpstream, type Upstream } from './upstream.ts'

/** What the gateway has to know of the upstream's settings. */
export interface UpstreamSettings {
  /**
   * Whether the operator's own code runs in the console. No code while nobody has been able to ask.
   * @param headers that say for whom: the upstream may answer nobody else
   */
  hasCustomCode(headers: IncomingHttpHeaders): Promise<boolean>
  /** The settings have changed. */
  forget(): void
}

/** How long an answer is good for, and how long to wait after none, in ms. */
const freshMs = 5000
const pauseMs = 1000
/** A page must not wait long for its policy, in ms. */
const patienceMs = 3000

/** @param now the clock, in milliseconds */
export function createUpstreamSettings(upstream: Upstream, now: () => number = Date.now): UpstreamSettings {
  let known = false
  let until = Number.NEGATIVE_INFINITY
  let asking: Promise<boolean> | undefined

  async function ask(headers: IncomingHttpHeaders): Promise<boolean> {
    try {
      const reply = await fetchFromUpstream({ ...upstream, patienceMs }, '/api/v1/setting', headers)
      known = Boolean(JSON.parse(reply.text).data.config.custom_code_dashboard)
      until = now() + freshMs
    } catch {
      // Down, slow, or this visitor is blocked: what was known before is the best guess, and the calls will say why.
      until = now() + pauseMs
    }
    return known
  }

  return {
    async hasCustomCode(headers) {
      if (now() < until) return known
      asking ??= ask(headers).finally(() => {
        asking = undefined
      })
      return asking
    },
    forget() {
      until = Number.NEGATIVE_INFINITY
    },
  }
}
