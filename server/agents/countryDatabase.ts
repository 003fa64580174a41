import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { type CountryResponse, Reader } from 'mmdb-lib'
import type { Log } from '../log.ts'
import { StartError } from '../startError.ts'

/** Which country an address is in, by an address database. */
export interface CountryDatabase {
  /** ISO 3166 in lower case, else the code of the continent; '' when the database does not know. */
  countryOf(address: string): string
}

/** Milliseconds between two looks at whether the file has changed: providers bring out a new one every week. */
const checkMs = 60_000

/**
 * Opens a database in the MMDB format, and reads it again when the file has changed.
 * @throws StartError when it cannot be read
 */
export function openCountryDatabase(path: string, { log, now }: { log: Log; now: () => number }): CountryDatabase {
  let reader: Reader<CountryResponse>
  let readTime: number
  let checkedAt = now()
  try {
    readTime = statSync(path).mtimeMs
    reader = new Reader<CountryResponse>(readFileSync(path))
  } catch (error) {
    throw new StartError(
      `GEOIP_DB is ${path} (${(error as Error).message}): set it to an address database in the MMDB format.`,
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
      reader = new Reader<CountryResponse>(readFileSync(path))
    } catch (error) {
      log.warn(
        `The address database ${path} cannot be read, and the one from before stays: ${(error as Error).message}`,
      )
    }
  }

  return {
    countryOf(address) {
      if (isIP(address) === 0) return ''
      readAgain()
      try {
        const record = reader.get(address)
        return (record?.country?.iso_code ?? record?.continent?.code ?? '').toLowerCase()
      } catch {
        // An IPv6 address, and a database of IPv4 alone.
        return ''
      }
    },
  }
}
