/**
 * What notifiers fill in (docs/contract/CONTRACT.md#9-placeholders-notes-install-commands), by what it is about:
 * `notice` always, the others in notices about a server. `metrics` come with their unit where `format_metric_units` is
 * set.
 */
export const noticePlaceholders = {
  notice: ['NEZHA', 'DATETIME'],
  server: ['SERVER.NAME', 'SERVER.ID', 'SERVER.IP', 'SERVER.IPV4', 'SERVER.IPV6'],
  metrics: [
    ...['SERVER.CPU', 'SERVER.MEM', 'SERVER.SWAP', 'SERVER.DISK'],
    ...['SERVER.SPEEDIN', 'SERVER.SPEEDOUT', 'SERVER.TRANSFERIN', 'SERVER.TRANSFEROUT'],
  ],
  raw: [
    ...['SERVER.CPUUSED', 'SERVER.MEMUSED', 'SERVER.SWAPUSED', 'SERVER.DISKUSED'],
    ...['SERVER.MEMTOTAL', 'SERVER.SWAPTOTAL', 'SERVER.DISKTOTAL'],
    ...['SERVER.NETINSPEED', 'SERVER.NETOUTSPEED', 'SERVER.NETINTRANSFER', 'SERVER.NETOUTTRANSFER'],
    ...['SERVER.LOAD1', 'SERVER.LOAD5', 'SERVER.LOAD15', 'SERVER.TCPCONNCOUNT', 'SERVER.UDPCONNCOUNT'],
  ],
} as const

/** What DDNS webhooks fill in. */
export const webhookPlaceholders = {
  webhook: ['ip', 'domain', 'type', 'record', 'access_id', 'access_secret'],
} as const
