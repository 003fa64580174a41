import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Providers, readProviders } from '../../../../server/auth/providers/providers.ts'

/** The providers that a server finds in a file like this. */
export function providersOf(entries: Readonly<Record<string, unknown>>): Providers {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-'))
  try {
    const path = join(folder, 'oauth2.json')
    writeFileSync(path, JSON.stringify(entries), { mode: 0o600 })
    return readProviders(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
