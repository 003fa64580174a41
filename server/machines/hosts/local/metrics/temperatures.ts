import { readdir } from 'node:fs/promises'
import type { HostState } from '../../host.ts'
import { querySystemInformation, readSlowFile } from './querySystemInformation.ts'

type Temperatures = HostState['temperatures']

/**
 * Temperatures of a Linux machine: of its sensor chips, else of its thermal zones. Most virtual machines have none.
 */
export async function readLinuxTemperatures(sys: string): Promise<Temperatures> {
  const chips = await chipTemperatures(`${sys}/class/hwmon`)
  return chips.length > 0 ? chips : zoneTemperatures(`${sys}/class/thermal`)
}

/** The processor's temperature, where the system reports it without an extra driver. */
export async function readPortableTemperatures(): Promise<Temperatures> {
  const { main } = await querySystemInformation('temperature', (library) => library.cpuTemperature())
  // Typed as a number, but null without a sensor.
  return Number.isFinite(main) && main > 0 ? [{ Name: 'cpu', Temperature: main }] : []
}

async function chipTemperatures(folder: string): Promise<Temperatures> {
  const chips = await listEntries(folder, /^hwmon\d+$/)
  const found = await Promise.all(
    chips.map(async (chip) => {
      const name = (await readSlowFile(`${folder}/${chip}/name`)).trim() || chip
      const inputs = await listEntries(`${folder}/${chip}`, /^temp\d+_input$/)
      return Promise.all(
        inputs.map(async (input) => {
          const label = (await readSlowFile(`${folder}/${chip}/${input.replace('_input', '_label')}`)).trim()
          return parseTemperature(label ? `${name} ${label}` : name, await readSlowFile(`${folder}/${chip}/${input}`))
        }),
      )
    }),
  )
  return found.flat(2)
}

async function zoneTemperatures(folder: string): Promise<Temperatures> {
  const zones = await listEntries(folder, /^thermal_zone\d+$/)
  const found = await Promise.all(
    zones.map(async (zone) =>
      parseTemperature(
        (await readSlowFile(`${folder}/${zone}/type`)).trim() || zone,
        await readSlowFile(`${folder}/${zone}/temp`),
      ),
    ),
  )
  return found.flat()
}

/**
 * Parses thousandths of a degree. Empty when there is no value: inactive sensors fail to read, missing ones have 0.
 */
function parseTemperature(name: string, text: string): Temperatures {
  const thousandths = Number(text.trim() || Number.NaN)
  if (!Number.isFinite(thousandths) || thousandths === 0) return []
  return [{ Name: name.toLowerCase().replace(/\s+/g, '_'), Temperature: thousandths / 1000 }]
}

/** The matching entries of a folder in numeric order; empty when there is no such folder. */
async function listEntries(folder: string, pattern: RegExp): Promise<string[]> {
  const entries = await readdir(folder).catch(() => [])
  return entries.filter((entry) => pattern.test(entry)).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}
