import type { z } from 'zod'
import { serverConfig } from '../../../../src/schemas/machines/serverConfig.ts'

/** The settings that a machine knows, with their values. */
export type ConfigValues = z.output<typeof serverConfig.form>

/** Where a machine's settings stay between two starts, as JSON text of those that somebody has set. */
export interface ConfigKeeper {
  read(): string | undefined
  write(text: string): void
}

export interface LocalConfig {
  /** The settings now. */
  values(): ConfigValues
  /** All of it as JSON text, unknown keys included. */
  text(): string
  /**
   * Takes over what a text holds. @throws Error when it is no JSON object, or a known key has a value that cannot be
   */
  apply(text: string): void
}

/** Everything that can be measured is, every two seconds; updates come with the console. */
const initial: ConfigValues = {
  report_delay: 2,
  ip_report_period: 1800,
  gpu: true,
  temperature: true,
  skip_connection_count: false,
  skip_procs_count: false,
  hard_drive_partition_allowlist: null,
  nic_allowlist: null,
  disable_auto_update: true,
  disable_force_update: true,
  disable_command_execute: false,
  disable_nat: false,
  disable_send_query: false,
  debug: false,
}

export interface ConfigOptions {
  /** Who the machine is: shown among its settings, and not to be set. */
  uuid: string
  keeper: ConfigKeeper
  /** Settings that were made where the machine was started: whatever is kept or sent, they stay as they are. */
  fixed: Partial<ConfigValues>
  /** Told when what was kept cannot be used; the machine goes on as at first. */
  onError: (error: unknown) => void
}

export function createLocalConfig({ uuid, keeper, fixed, onError }: ConfigOptions): LocalConfig {
  let kept: Record<string, unknown> = {}
  let values: ConfigValues = { ...initial, ...fixed }
  try {
    kept = readObject(keeper.read() ?? '{}')
    values = { ...valuesOf(kept), ...fixed }
  } catch (error) {
    onError(error)
  }

  return {
    values: () => values,
    text: () => {
      const all = { ...initial, ...kept, ...fixed, uuid }
      return JSON.stringify(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)))
    },
    apply(text) {
      const ownKeys = new Set(['uuid', ...Object.keys(fixed)])
      const changes = Object.fromEntries(Object.entries(readObject(text)).filter(([key]) => !ownKeys.has(key)))
      // As agents read it, null is no value: the setting is what it was at first.
      const next = Object.fromEntries(Object.entries({ ...kept, ...changes }).filter(([, value]) => value !== null))
      values = { ...valuesOf(next), ...fixed }
      kept = next
      keeper.write(JSON.stringify(kept))
    },
  }
}

function valuesOf(kept: Record<string, unknown>): ConfigValues {
  const result = serverConfig.form.safeParse({ ...initial, ...kept })
  if (result.success) return result.data
  const name = String(result.error.issues[0]?.path[0])
  throw new Error(`its setting "${name}" has a value that cannot be: ${JSON.stringify(kept[name])}`)
}

function readObject(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Error('its settings must be a JSON object')
}

/** Keeps settings for as long as the process lives. */
export function keepInMemory(): ConfigKeeper {
  let kept: string | undefined
  return {
    read: () => kept,
    write: (text) => {
      kept = text
    },
  }
}
