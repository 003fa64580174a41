import { tmpdir } from 'node:os'
import { noDetails } from '../../../server/machines/hosts/agent/agentHost.ts'
import type { Host, HostReport, HostState, ReportListener, RunResult } from '../../../server/machines/hosts/host.ts'
import { createLocalFiles } from '../../../server/machines/hosts/local/files/localFiles.ts'
import { connectTcp } from '../../../server/machines/hosts/local/localHost.ts'
import { createLocalOperations } from '../../../server/machines/hosts/local/operations/localOperations.ts'
import type { Check, ProbeOptions, ProbeResult } from '../../../server/machines/hosts/probe.ts'
import { dialFromHere } from '../../../server/outbound/dial.ts'
import { exchangeDatagram } from '../../../server/outbound/exchangeDatagram.ts'

/** A machine whose reports a test gives. */
export interface TestHost extends Host {
  /** The commands that it was given, in order. */
  commands: string[]
  /** How a command goes. Default: it succeeds at once. */
  answer: (command: string, signal?: AbortSignal) => Promise<RunResult>
  /** What it was asked to check, in order. */
  asked: Check[]
  /** How a check goes. Default: good, after a millisecond. */
  reply: (check: Check, options: ProbeOptions) => Promise<ProbeResult | undefined>
  /** Its settings. Default: what it was given last, and `{}` before. */
  settings: string
  /** How often it was asked to update. */
  updates: number
  /** Ends its reports. */
  disconnect(): void
  /** Reports now; what is left out is zero. @param at when, by default now */
  report(values?: { host?: object; state?: Partial<HostState>; ip?: object; country_code?: string; at?: Date }): void
}

/** The state of an idle machine. */
export const noState: HostState = {
  cpu: 0,
  mem_used: 0,
  swap_used: 0,
  disk_used: 0,
  net_in_transfer: 0,
  net_out_transfer: 0,
  net_in_speed: 0,
  net_out_speed: 0,
  uptime: 0,
  load_1: 0,
  load_5: 0,
  load_15: 0,
  tcp_conn_count: 0,
  udp_conn_count: 0,
  process_count: 0,
  temperatures: [],
  gpu: [],
}

/** @param home where its files are */
export function createTestHost({ uuid = 'machine-1', name = 'pleasant-pug', home = tmpdir() } = {}): TestHost {
  const listeners = new Set<ReportListener>()
  const endListeners = new Set<() => void>()
  let latest: HostReport = {
    facts: { uuid, host: noDetails, geoip: { ip: {} } },
    state: noState,
    at: new Date(),
  }
  const host: TestHost = {
    commands: [],
    settings: '{}',
    updates: 0,
    config: async () => host.settings,
    async applyConfig(text) {
      host.settings = text
      return { reconnects: false }
    },
    async orderUpdate() {
      host.updates++
    },
    answer: async () => ({ exitCode: 0, ended: 'exited', output: '', truncated: false }),
    run(command, { signal }) {
      host.commands.push(command)
      return host.answer(command, signal)
    },
    canRunCommands: () => true,
    openShell: async () => {
      throw new Error('this machine has no terminal')
    },
    asked: [],
    reply: async () => ({ outcome: 'up', delay: 1 }),
    probe(check, options) {
      host.asked.push(check)
      return host.reply(check, options)
    },
    connect: connectTcp,
    dial: (host, port, { allowPrivate, signal }) => dialFromHere({ allowPrivate })(host, port, signal),
    exchange: exchangeDatagram,
    name: () => name,
    files: createLocalFiles(home),
    operations: createLocalOperations(() => host.canRunCommands()),
    facts: async () => latest.facts,
    onReport(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onDisconnect(listener) {
      endListeners.add(listener)
      return () => endListeners.delete(listener)
    },
    offlineAfterMs: 6000,
    disconnect() {
      for (const listener of endListeners) listener()
    },
    start() {},
    async stop() {},
    report({ host, state, ip = {}, country_code, at = new Date() } = {}) {
      const details = { ...noDetails, ...host }
      latest = { facts: { uuid, host: details, geoip: { ip, country_code } }, state: { ...noState, ...state }, at }
      for (const listener of listeners) listener(latest)
    },
  }
  return host
}
