import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { answerOf } from '../inspect/answer.ts'
import { conditionsQuery, serverConditions } from '../inspect/conditions.ts'
import { containerItem, containerLine, containerLogQuery, containerQuery } from '../inspect/containers.ts'
import { diskItem, foldersQuery, folderUsage, hardwareItem } from '../inspect/hardware.ts'
import { logFile, logLine, logQuery } from '../inspect/logs.ts'
import { networkItem } from '../inspect/network.ts'
import { packageItem } from '../inspect/packages.ts'
import { openFile, priorityOrder, processItem, signalOrder } from '../inspect/processes.ts'
import { snapshot } from '../inspect/snapshot.ts'
import { unitItem } from '../inspect/units.ts'

const reading = { scopes: ['nezha:server:read'], keepsToServers: true } as const
const acting = { scopes: ['nezha:server:exec'], keepsToServers: true, leadsTo: 'command' } as const

/**
 * What goes on in a machine, as its own programs tell: for its owner and administrators. Only where `GET /setting` says
 * `wheelhouse.inspect`. Apart from the other calls: no list waits for their schemas.
 */
export const inspectEndpoints = {
  processes: endpoint('GET', 'wheelhouse/servers/:id/processes', { ...reading, reply: answerOf(processItem) }),
  /** What it holds open, and the ports on which it listens. */
  openFiles: endpoint('GET', 'wheelhouse/servers/:id/processes/:pid/files', { ...reading, reply: answerOf(openFile) }),
  signalProcess: endpoint('POST', 'wheelhouse/servers/:id/processes/:pid/signal', { ...acting, body: signalOrder }),
  /** Sets the nice value. */
  setPriority: endpoint('POST', 'wheelhouse/servers/:id/processes/:pid/priority', { ...acting, body: priorityOrder }),
  containers: endpoint('GET', 'wheelhouse/servers/:id/containers', { ...reading, reply: answerOf(containerItem) }),
  /** `act` is one of `containerActs`. */
  actOnContainer: endpoint('POST', 'wheelhouse/servers/:id/containers/:container/:act', {
    ...acting,
    body: containerQuery,
  }),
  /** The last lines of its log. */
  containerLogs: endpoint('GET', 'wheelhouse/servers/:id/containers/:container/logs', {
    ...reading,
    query: containerLogQuery,
    reply: answerOf(containerLine),
  }),
  /** What the engine knows about it, as `text`. */
  inspectContainer: endpoint('GET', 'wheelhouse/servers/:id/containers/:container/inspect', {
    ...reading,
    query: containerQuery,
    reply: answerOf(containerItem),
  }),
  units: endpoint('GET', 'wheelhouse/servers/:id/units', { ...reading, reply: answerOf(unitItem) }),
  /** `act` is one of `unitActs`. */
  actOnUnit: endpoint('POST', 'wheelhouse/servers/:id/units/:name/:act', acting),
  /** The last lines of the journal, or of a file. */
  logs: endpoint('GET', 'wheelhouse/servers/:id/logs', { ...reading, query: logQuery, reply: answerOf(logLine) }),
  logFiles: endpoint('GET', 'wheelhouse/servers/:id/logs/files', { ...reading, reply: answerOf(logFile) }),
  disks: endpoint('GET', 'wheelhouse/servers/:id/disks', { ...reading, reply: answerOf(diskItem) }),
  /** The largest folders below one, counted on its file system alone: a minute and more on a full disk. */
  folders: endpoint('GET', 'wheelhouse/servers/:id/disks/folders', {
    ...reading,
    query: foldersQuery,
    reply: answerOf(folderUsage),
  }),
  network: endpoint('GET', 'wheelhouse/servers/:id/network', { ...reading, reply: answerOf(networkItem) }),
  packages: endpoint('GET', 'wheelhouse/servers/:id/packages', { ...reading, reply: answerOf(packageItem) }),
  hardware: endpoint('GET', 'wheelhouse/servers/:id/hardware', { ...reading, reply: answerOf(hardwareItem) }),
  /**
   * What servers said that alert rules and lists have asked, of all servers that somebody may look into. With `column`,
   * they are asked for that as often as for rules, until the call has not come again in that time.
   */
  conditions: endpoint('GET', 'wheelhouse/conditions', {
    ...reading,
    query: conditionsQuery,
    reply: z.array(serverConditions).default([]),
  }),
  /** What the machine of an alarm said of itself when it began; `id` is that of the alarm. */
  alarmSnapshot: endpoint('GET', 'wheelhouse/alarms/:id/snapshot', { ...reading, reply: snapshot }),
} as const
