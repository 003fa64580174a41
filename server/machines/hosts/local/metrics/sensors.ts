import { readdir } from 'node:fs/promises'
import type { HostState } from '../../host.ts'
import { readSlowText } from './readText.ts'
import { askLibrary } from './systemInformation.ts'

type Temperatures = HostState['temperatures']

/**
 * Temperatures of a Linux machine: its sensor chips, or its thermal zones when it has no chip. Empty in most guests.
 */
export async function linuxTemperatures(sys: string): Promise<Temperatures> {
  const chips = await chipTemperatures(`${sys}/class/hwmon`)
  return chips.length > 0 ? chips : zoneTemperatures(`${sys}/class/thermal`)
}

/** The one temperature other systems tell without a driver of their own, if any. */
export async function portableTemperatures(): Promise<Temperatures> {
  const { main } = await askLibrary('temperature', (library) => library.cpuTemperature())
  // Typed as a number, but null where there is no sensor.
  return Number.isFinite(main) && main > 0 ? [{ Name: 'cpu', Temperature: main }] : []
}

async function chipTemperatures(folder: string): Promise<Temperatures> {
  const chips = await listed(folder, /^hwmon\d+$/)
  const found = await Promise.all(
    chips.map(async (chip) => {
      const name = (await readSlowText(`${folder}/${chip}/name`)).trim() || chip
      const inputs = await listed(`${folder}/${chip}`, /^temp\d+_input$/)
      return Promise.all(
        inputs.map(async (input) => {
          const label = (await readSlowText(`${folder}/${chip}/${input.replace('_input', '_label')}`)).trim()
          return temperature(label ? `${name} ${label}` : name, await readSlowText(`${folder}/${chip}/${input}`))
        }),
      )
    }),
  )
  return found.flat(2)
}

async function zoneTemperatures(folder: string): Promise<Temperatures> {
  const zones = await listed(folder, /^thermal_zone\d+$/)
  const found = await Promise.all(
    zones.map(async (zone) =>
      temperature(
        (await readSlowText(`${folder}/${zone}/type`)).trim() || zone,
        await readSlowText(`${folder}/${zone}/temp`),
      ),
    ),
  )
  return found.flat()
}

/**
 * One temperature from thousandths of a degree, or none: a sleeping sensor answers with an error, a missing one with 0.
 */
function temperature(name: string, text: string): Temperatures {
  const thousandths = Number(text.trim() || Number.NaN)
  if (!Number.isFinite(thousandths) || thousandths === 0) return []
  return [{ Name: name.toLowerCase().replace(/\s+/g, '_'), Temperature: thousandths / 1000 }]
}

/** The matching entries of a folder in the order of their numbers; none when the folder is missing. */
async function listed(folder: string, pattern: RegExp): Promise<string[]> {
  const entries = await readdir(folder).catch(() => [])
  return entries.filter((entry) => pattern.test(entry)).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}
