import type { IncomingHttpHeaders } from 'node:http'
import { fetchFromUpstream, type Upstream } from './upstream.ts'

/** The setting of the upstream that the gateway needs. */
export interface UpstreamSettings {
  /**
   * Whether the operator's own code runs in the console; `false` until the upstream has replied once.
   * @param headers with the address of the client: the upstream may block others
   */
  hasCustomCode(headers: IncomingHttpHeaders): Promise<boolean>
  /** To be called when the settings have changed. */
  invalidate(): void
}

/** Milliseconds until a reply is fetched again, after a success and after a failure. */
const freshMs = 5000
const retryMs = 1000
/** Milliseconds that a page waits for its content security policy. */
const timeoutMs = 3000

/** @param now the clock, in milliseconds */
export function createUpstreamSettings(upstream: Upstream, now: () => number = Date.now): UpstreamSettings {
  let hasCustomCode = false
  let freshUntil = Number.NEGATIVE_INFINITY
  let pending: Promise<boolean> | undefined

  async function fetchSetting(headers: IncomingHttpHeaders): Promise<boolean> {
    try {
      const reply = await fetchFromUpstream({ ...upstream, timeoutMs }, '/api/v1/setting', headers)
      hasCustomCode = Boolean(JSON.parse(reply.text).data.config.custom_code_dashboard)
      freshUntil = now() + freshMs
    } catch {
      // Down, slow, or this client is blocked: the last value stays, and the calls of the page show the reason.
      freshUntil = now() + retryMs
    }
    return hasCustomCode
  }

  return {
    async hasCustomCode(headers) {
      if (now() < freshUntil) return hasCustomCode
      pending ??= fetchSetting(headers).finally(() => {
        pending = undefined
      })
      return pending
    },
    invalidate() {
      freshUntil = Number.NEGATIVE_INFINITY
    },
  }
}
