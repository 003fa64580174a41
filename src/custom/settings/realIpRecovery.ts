import type { Setting } from '../../schemas/settings/setting.ts'
import { usePeerAddress } from '../../schemas/settings/siteSetting.ts'

/** How to recover from a wrong real-IP header: an environment variable, or a line of the configuration file. */
export interface RealIpRecovery {
  kind: 'start' | 'file'
  line: string
}

/** @param before the current, working header */
export function realIpRecovery({ wheelhouse, config, tsdb_enabled }: Setting, before: string): RealIpRecovery {
  // Without a command: the server may be started by npm, as an installed program, or as a service.
  if (wheelhouse) return { kind: 'start', line: `REAL_IP_HEADER=${before || usePeerAddress}` }
  // Servers before v1.12 use the older name; if neither is set, `tsdb_enabled` shows the version.
  const isOld = 'real_ip_header' in config || (!('web_real_ip_header' in config) && tsdb_enabled === undefined)
  return { kind: 'file', line: `${isOld ? 'real_ip_header' : 'web_real_ip_header'}: ${JSON.stringify(before)}` }
}
