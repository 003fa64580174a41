import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { type CountryResponse, Reader } from 'mmdb-lib'
import { errorMessage } from '../../../src/domain/errors.ts'
import { type Log, StartError } from '../../log.ts'

/** Where an address is, by an address database. */
export interface AddressDatabase {
  /** ISO 3166 in lower case, else the code of the continent; '' when the database does not know. */
  countryOf(address: string): string
  /** The number of the autonomous system, which is a provider's network; '' when the database does not know. */
  providerOf(address: string): string
}

/** What databases of countries, cities and providers say, by MaxMind, DB-IP and IPinfo. */
type AddressRecord = CountryResponse & {
  autonomous_system_number?: number
  traits?: { autonomous_system_number?: number }
  asn?: unknown
}

/** Milliseconds between two looks at whether the file has changed: providers bring out a new one every week. */
const checkMs = 60_000

/**
 * Opens a database in the MMDB format, and reads it again when the file has changed.
 * @throws StartError when it cannot be read
 */
export function openAddressDatabase(
  path: string,
  { log, now }: { log: Pick<Log, 'warn'>; now: () => number },
): AddressDatabase {
  let reader: Reader<AddressRecord>
  let readTime: number
  let checkedAt = now()
  try {
    readTime = statSync(path).mtimeMs
    reader = new Reader<AddressRecord>(readFileSync(path))
  } catch (error) {
    throw new StartError(
      `GEOIP_DB is ${path} (${errorMessage(error)}): set it to an address database in the MMDB format.`,
      { cause: error },
    )
  }

  function readAgain(): void {
    if (Math.abs(now() - checkedAt) < checkMs) return
    checkedAt = now()
    try {
      const { mtimeMs } = statSync(path)
      if (mtimeMs === readTime) return
      readTime = mtimeMs
      reader = new Reader<AddressRecord>(readFileSync(path))
    } catch (error) {
      log.warn(`The address database ${path} cannot be read, and the one from before stays: ${errorMessage(error)}`)
    }
  }

  function recordOf(address: string): AddressRecord | null {
    if (isIP(address) === 0) return null
    readAgain()
    try {
      return reader.get(address)
    } catch {
      // An IPv6 address, and a database of IPv4 alone.
      return null
    }
  }

  return {
    countryOf(address) {
      const record = recordOf(address)
      const code: unknown = record?.country?.iso_code ?? record?.continent?.code
      // Whoever makes a database decides what is in it.
      return typeof code === 'string' ? code.toLowerCase() : ''
    },
    providerOf(address) {
      const record = recordOf(address)
      const number = record?.autonomous_system_number ?? record?.traits?.autonomous_system_number ?? record?.asn
      return String(number ?? '').replace(/^AS/i, '')
    },
  }
}
