import { TargetNotAllowedError } from '../../../../outbound/resolveTarget.ts'
import { ApiError } from '../../../../wire/apiError.ts'
import type { Check, ProbeOptions, ProbeResult } from '../../probe.ts'
import { probeHttp } from './http.ts'
import { createPing } from './ping.ts'
import { probeTcp } from './tcp.ts'

export type Probe = (check: Check, options: ProbeOptions) => Promise<ProbeResult>

/** Checks services from the machine this process runs on. Never rejects. @param ping the command for ICMP */
export function createProbe({ ping = 'ping' } = {}): Probe {
  const byType = { http: probeHttp, icmp: createPing(ping), tcp: probeTcp }
  return async ({ type, target }, options) => {
    try {
      return await byType[type](target.trim(), options)
    } catch (error) {
      if (error instanceof TargetNotAllowedError) return { outcome: 'not permitted', problem: error.message }
      if (error instanceof ApiError) return { outcome: 'down', problem: error.message }
      return { outcome: 'down', problem: (error as Error).message || 'connection failed' }
    }
  }
}
