/**
 * Placeholders of notifiers (docs/contract/CONTRACT.md#9-placeholders-notes-install-commands): `notice` exists in all
 * notifications, the others in those about a server. `metrics` have units with `format_metric_units`.
 */
export const noticePlaceholders = {
  notice: ['NEZHA', 'DATETIME'],
  server: ['SERVER.NAME', 'SERVER.ID', 'SERVER.IP', 'SERVER.IPV4', 'SERVER.IPV6'],
  metrics: [
    'SERVER.CPU',
    'SERVER.MEM',
    'SERVER.SWAP',
    'SERVER.DISK',
    'SERVER.SPEEDIN',
    'SERVER.SPEEDOUT',
    'SERVER.TRANSFERIN',
    'SERVER.TRANSFEROUT',
  ],
  raw: [
    'SERVER.CPUUSED',
    'SERVER.MEMUSED',
    'SERVER.SWAPUSED',
    'SERVER.DISKUSED',
    'SERVER.MEMTOTAL',
    'SERVER.SWAPTOTAL',
    'SERVER.DISKTOTAL',
    'SERVER.NETINSPEED',
    'SERVER.NETOUTSPEED',
    'SERVER.NETINTRANSFER',
    'SERVER.NETOUTTRANSFER',
    'SERVER.LOAD1',
    'SERVER.LOAD5',
    'SERVER.LOAD15',
    'SERVER.TCPCONNCOUNT',
    'SERVER.UDPCONNCOUNT',
  ],
} as const

/** Placeholders of DDNS webhooks. */
export const webhookPlaceholders = {
  webhook: ['ip', 'domain', 'type', 'record', 'access_id', 'access_secret'],
} as const
