import type { Setting } from '../../schemas/settings/setting.ts'
import { usePeerAddress } from '../../schemas/settings/siteSetting.ts'

/** The way back in after a wrong real-IP header: a start with a variable, or a line of the configuration file. */
export interface RealIpRecovery {
  kind: 'start' | 'file'
  line: string
}

/** @param before the header that works now */
export function realIpRecovery({ wheelhouse, config, tsdb_enabled }: Setting, before: string): RealIpRecovery {
  // Without a command: it may be npm, the installed program, or a service that starts it.
  if (wheelhouse) return { kind: 'start', line: `REAL_IP_HEADER=${before || usePeerAddress}` }
  // Servers before v1.12 know it by the older name; those that tell neither are told by what else they know.
  const isOld = 'real_ip_header' in config || (!('web_real_ip_header' in config) && tsdb_enabled === undefined)
  return { kind: 'file', line: `${isOld ? 'real_ip_header' : 'web_real_ip_header'}: ${JSON.stringify(before)}` }
}
