import type { HostDetails, HostState } from '../../machines/hosts/host.ts'
import { hostMessage, stateMessage } from './nezhaService.ts'

/** Bytes of a report: real ones have about 1 KiB. */
export const maxReportBytes = 64 * 1024

/** What an agent reports is in everybody's list every two seconds, so it has a limit. */
const limits = {
  /** Characters of a text, such as the model of a processor. */
  text: 128,
  /** Models of processors and of graphics processors. */
  models: 32,
  sensors: 128,
}

const clip = (text: string) => text.slice(0, limits.text).toWellFormed()

/** A report about the machine; what is too long is cut. @throws InvalidMessage */
export function readHost(bytes: Uint8Array): HostDetails {
  const { cpu, gpu, ...host } = hostMessage.decode(bytes)
  const texts = Object.entries(host).map(([name, value]) => [name, typeof value === 'string' ? clip(value) : value])
  const models = (list: string[]) => list.slice(0, limits.models).map(clip)
  return { ...(Object.fromEntries(texts) as typeof host), cpu: models(cpu), gpu: models(gpu) }
}

/**
 * A report of metrics, by the names that browsers know; what they say is judged by `machines/judgeReports.ts`.
 * @throws InvalidMessage
 */
export function readState(bytes: Uint8Array): HostState {
  const state = stateMessage.decode(bytes)
  const temperatures = state.temperatures
    .slice(0, limits.sensors)
    .map(({ name = '', temperature = 0 }) => ({ Name: clip(name), Temperature: temperature }))
  return { ...state, temperatures, gpu: state.gpu.slice(0, limits.models) }
}
