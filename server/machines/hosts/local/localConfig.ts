import type { z } from 'zod'
import { isObject, type Values } from '../../../../src/schemas/define/values.ts'
import { serverConfig } from '../../../../src/schemas/machines/serverConfig.ts'

/** The settings of a machine that have an effect, with their values. */
export type ConfigValues = z.output<typeof serverConfig.form>

/** Stores the settings that somebody has changed, as the text of a JSON object. */
export interface ConfigStore {
  /** `undefined` while nothing was stored. */
  read(): string | undefined
  write(text: string): void
}

export interface LocalConfig {
  /** The current settings. */
  values(): ConfigValues
  /** All settings as JSON text, with unknown keys. */
  text(): string
  /**
   * Applies and stores the settings of a JSON text.
   * @throws Error when it is not a JSON object, or a known setting has an invalid value
   */
  apply(text: string): void
}

/** Collects every metric, every two seconds. Updates are off, because they come with the console. */
const defaults: ConfigValues = {
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
  /** Identifies the machine: part of `text`, cannot be changed. */
  uuid: string
  store: ConfigStore
  /** Settings from the start of the process. They override stored and new ones. */
  fixed: Partial<ConfigValues>
  /** Called when the stored settings are invalid; the defaults are used then. */
  onError: (error: unknown) => void
}

export function createLocalConfig({ uuid, store, fixed, onError }: ConfigOptions): LocalConfig {
  let savedSettings: Values = {}
  let values: ConfigValues = { ...defaults, ...fixed }
  try {
    savedSettings = parseObject(store.read() ?? '{}')
    values = { ...validate(savedSettings), ...fixed }
  } catch (error) {
    onError(error)
  }

  return {
    values: () => values,
    text: () => JSON.stringify(withoutNulls({ ...defaults, ...savedSettings, ...fixed, uuid })),
    apply(text) {
      const readOnlyKeys = new Set(['uuid', ...Object.keys(fixed)])
      const changes = Object.fromEntries(Object.entries(parseObject(text)).filter(([key]) => !readOnlyKeys.has(key)))
      // As for agents, null resets a setting to its default.
      const newSettings = withoutNulls({ ...savedSettings, ...changes })
      values = { ...validate(newSettings), ...fixed }
      savedSettings = newSettings
      store.write(JSON.stringify(savedSettings))
    },
  }
}

const withoutNulls = (settings: Values) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))

function validate(settings: Values): ConfigValues {
  const result = serverConfig.form.safeParse({ ...defaults, ...settings })
  if (result.success) return result.data
  const name = String(result.error.issues[0]?.path[0])
  throw new Error(`its setting "${name}" has a value that cannot be: ${JSON.stringify(settings[name])}`)
}

function parseObject(text: string): Values {
  const value: unknown = JSON.parse(text)
  if (isObject(value)) return value
  throw new Error('its settings must be a JSON object')
}

/** Stores settings until the process ends. */
export function createMemoryConfigStore(): ConfigStore {
  let savedText: string | undefined
  return {
    read: () => savedText,
    write: (text) => {
      savedText = text
    },
  }
}
