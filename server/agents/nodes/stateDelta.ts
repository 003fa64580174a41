import type { HostState } from '../../machines/hosts/host.ts'
import { InvalidMessage } from '../grpc/messageReader.ts'

/** The metrics that are one number each; their places are the bits of what has changed. */
const names = [
  'cpu',
  'mem_used',
  'swap_used',
  'disk_used',
  'net_in_transfer',
  'net_out_transfer',
  'net_in_speed',
  'net_out_speed',
  'uptime',
  'load_1',
  'load_5',
  'load_15',
  'tcp_conn_count',
  'udp_conn_count',
  'process_count',
] as const satisfies readonly (keyof HostState)[]

/** The bit of the sensors, which follow as JSON. */
const sensorsBit = 1 << names.length
const maskBytes = 4
const noSensors = '[[],[]]'

/** Writes the reports of a call as what has changed since the one before. */
export function createStateWriter(): (state: HostState) => Buffer {
  const last = new Float64Array(names.length)
  let lastSensors = noSensors
  const scratch = Buffer.alloc(maskBytes + names.length * 8)

  return (state) => {
    let mask = 0
    let at = maskBytes
    for (let place = 0; place < names.length; place++) {
      const value = state[names[place] as (typeof names)[number]]
      if (Object.is(value, last[place])) continue
      last[place] = value
      mask |= 1 << place
      at = scratch.writeDoubleLE(value, at)
    }
    const { temperatures, gpu } = state
    const sensors = temperatures.length + gpu.length === 0 ? noSensors : JSON.stringify([temperatures, gpu])
    const haveSensorsChanged = sensors !== lastSensors
    lastSensors = sensors
    scratch.writeUInt32LE(haveSensorsChanged ? mask | sensorsBit : mask, 0)
    const numbers = scratch.subarray(0, at)
    return haveSensorsChanged ? Buffer.concat([numbers, Buffer.from(sensors)]) : Buffer.from(numbers)
  }
}

/** Reads what `createStateWriter` has written, with the last report side by side in one block. */
export class StateReader {
  readonly #last = new Float64Array(names.length)
  #temperatures: HostState['temperatures'] = noList
  #gpu: HostState['gpu'] = noList

  /** @returns the report: the same object each time, valid until the next one is read @throws InvalidMessage */
  read(delta: Buffer): HostState {
    try {
      const mask = delta.readUInt32LE(0)
      let at = maskBytes
      for (let place = 0; place < names.length; place++) {
        if ((mask & (1 << place)) === 0) continue
        this.#last[place] = delta.readDoubleLE(at)
        at += 8
      }
      if ((mask & sensorsBit) !== 0) this.#readSensors(delta.toString('utf8', at))
    } catch (error) {
      throw new InvalidMessage('this is no report of a node', { cause: error })
    }
    for (let place = 0; place < names.length; place++) {
      shared[names[place] as (typeof names)[number]] = this.#last[place] ?? 0
    }
    shared.temperatures = this.#temperatures
    shared.gpu = this.#gpu
    return shared
  }

  /** JSON has no word for a number that is none. */
  #readSensors(json: string): void {
    const [temperatures, gpu] = JSON.parse(json) as [HostState['temperatures'], (number | null)[]]
    this.#temperatures = temperatures.map(({ Name, Temperature }) => ({ Name, Temperature: Temperature ?? Number.NaN }))
    this.#gpu = gpu.map((percent) => percent ?? Number.NaN)
  }
}

const noList: never[] = []

const shared: HostState = {
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
  temperatures: noList,
  gpu: noList,
}
